package api

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/collect/config"
)

// scope is what a request needs.
type scope uint8

const (
	anybody scope = iota
	reading
	uploading
	readingOrUploading
)

// cookie is the name of the cookie that holds a dashboard's session. Sites of the same host, on any port, have
// cookies of their own, such as the choice of docs/deploying.md.
const (
	cookie       = "fieldprof-dashboard"
	sessionLasts = 12 * time.Hour
)

// tokens admit requests.
type tokens struct {
	list    []config.Token
	digests [][sha256.Size]byte
	apps    []string // of the configuration
	now     func() time.Time
	guesses *guesses
}

func newTokens(c *config.Config, now func() time.Time) *tokens {
	t := &tokens{list: c.Tokens, now: now, guesses: newGuesses()}
	for _, token := range c.Tokens {
		t.digests = append(t.digests, sha256.Sum256([]byte(token.Text)))
	}
	for _, app := range c.Apps {
		t.apps = append(t.apps, app.Name)
	}
	return t
}

// grant says what a request may do.
type grant struct {
	token int      // in the configuration
	apps  []string // that it admits to, in the order of the configuration
}

// of checks the app that a request names. Without a name it is the only app granted.
func (g *grant) of(name string) (string, error) {
	switch {
	case name == "" && len(g.apps) == 1:
		return g.apps[0], nil
	case name == "":
		return "", wrong("app: name one, such as app=%s", firstOf(g.apps))
	case slices.Contains(g.apps, name):
		return name, nil
	}
	// The text does not tell whether the app exists.
	return "", forbidden("app: the token does not admit to %q; %s/apps lists what it admits to", name, root)
}

func firstOf(names []string) string {
	if len(names) == 0 {
		return "shop"
	}
	return names[0]
}

// admit finds out what a request may do.
func (t *tokens) admit(r *http.Request, address string, may scope) (grant, error) {
	which, bearer, err := t.find(r, address)
	if err != nil {
		return grant{}, err
	}
	token := &t.list[which]
	switch {
	case may == reading && !token.Read:
		return grant{}, forbidden("this token does not read: use one with read: true")
	case may == uploading && !token.Upload:
		return grant{}, forbidden("this token does not upload: use one with upload: true")
	case may == uploading && !bearer:
		return grant{}, forbidden("a cookie only reads: send the token as Authorization: Bearer TOKEN")
	}
	g := grant{token: which}
	for _, app := range t.apps {
		if len(token.Apps) == 0 || slices.Contains(token.Apps, app) {
			g.apps = append(g.apps, app)
		}
	}
	return g, nil
}

// find finds the token of a request, in its header or else in its cookie.
func (t *tokens) find(r *http.Request, address string) (which int, bearer bool, _ error) {
	which = -1
	text, given := bearerOf(r)
	if given {
		which = t.index(text)
	} else if c, err := r.Cookie(cookie); err == nil {
		text, tag, isOpen := t.opened(c.Value)
		if !isOpen { // not a guess of a token: its sender should not be kept out for it
			return -1, false, &problem{http.StatusUnauthorized, "the session is over: sign in again"}
		}
		given, which = true, t.ofSession(text, tag)
	}
	if !given {
		return which, false, &problem{http.StatusUnauthorized, "a token is missing: send Authorization: Bearer TOKEN, or sign in"}
	}
	if err := t.guesses.check(address, which, t.now()); err != nil {
		return which, false, err
	}
	return which, text != "", nil
}

func bearerOf(r *http.Request) (token string, given bool) {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") || token == "" {
		return "", false
	}
	return strings.TrimSpace(token), true
}

// index returns the index of a token, comparing in constant time; -1 if it is unknown.
func (t *tokens) index(text string) int {
	digest, found := sha256.Sum256([]byte(text)), -1
	for i := range t.digests {
		same := subtle.ConstantTimeCompare(digest[:], t.digests[i][:])
		found = subtle.ConstantTimeSelect(same, i, found)
	}
	if found >= 0 && t.list[found].Text == "" {
		return -1
	}
	return found
}

// session returns "EXPIRY.MAC", keyed by the token, which cannot be derived from it. The collector
// stores no sessions, so any of several collectors can check one.
func (t *tokens) session(which int, expires time.Time) string {
	text := strconv.FormatInt(expires.Unix(), 10)
	return text + "." + hex.EncodeToString(t.mac(which, text))
}

func (t *tokens) mac(which int, text string) []byte {
	mac := hmac.New(sha256.New, t.digests[which][:])
	mac.Write([]byte("fieldprof session " + text))
	return mac.Sum(nil)
}

// opened splits the value of a cookie into a session's text and its MAC. isOpen is false if the value is not a session, or if
// the session has expired.
func (t *tokens) opened(value string) (text string, tag []byte, isOpen bool) {
	text, hexadecimal, _ := strings.Cut(value, ".")
	tag, err := hex.DecodeString(hexadecimal)
	expires, wrong := strconv.ParseInt(text, 10, 64)
	return text, tag, err == nil && wrong == nil && len(tag) == sha256.Size && t.now().Before(time.Unix(expires, 0))
}

// ofSession returns the index of a session's token; -1 if it is unknown.
func (t *tokens) ofSession(text string, tag []byte) int {
	found := -1
	for i := range t.list {
		if hmac.Equal(tag, t.mac(i, text)) && t.list[i].Text != "" {
			found = i
		}
	}
	return found
}
