package bias

import (
	"os"
	"path/filepath"
	"regexp"
	"sync"

	"github.com/fieldprof/fieldprof/fixtures"
)

// places are the folders of this machine that recordings would otherwise name: the
// checkout, and folders for temporary files.
var places = sync.OnceValue(func() *regexp.Regexp {
	checkout, temporary := filepath.Dir(fixtures.Dir()), filepath.Clean(os.TempDir())
	return regexp.MustCompile("(" + regexp.QuoteMeta(checkout) + "|" + regexp.QuoteMeta(temporary) + `/[^/\s"']+)/`)
})

// placeless takes the machine's folders out of what a recording says, so that it can be
// published, and reads the same wherever it was made.
func (r *Recording) placeless() {
	remove := func(text *string) { *text = places().ReplaceAllString(*text, "") }
	remove(&r.Skipped)
	remove(&r.Unparsed)
	for i := range r.Parsed {
		remove(&r.Parsed[i].File)
	}
	for i := range r.Functions {
		remove(&r.Functions[i].File)
	}
	if r.Profile == nil {
		return
	}
	remove(&r.Profile.Meta.Program)
	for _, texts := range [][]string{r.Profile.Strings, r.Profile.Meta.Notes} {
		for i := range texts {
			remove(&texts[i])
		}
	}
}
