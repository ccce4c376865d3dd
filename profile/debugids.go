package profile

import (
	"maps"

	"github.com/fieldprof/fieldprof/sourcemap"
)

// DebugIDs picks what may be debug ids from what a page says that they are, by file; nil
// if there are none.
func DebugIDs(said map[string]string) map[string]string {
	ids := maps.Clone(said)
	maps.DeleteFunc(ids, func(_, id string) bool { return !sourcemap.IsDebugID(id) })
	if len(ids) == 0 {
		return nil
	}
	return ids
}
