package api

import (
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"time"
)

// maxSignIn bounds the body of a sign-in: a token and little else.
const maxSignIn = 4 << 10

// signIn trades a token for a cookie.
func signIn(r *request) error {
	// A form on another site cannot send this type.
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		return &problem{http.StatusUnsupportedMediaType, `send {"token":"…"} with Content-Type: application/json`}
	}
	body, err := io.ReadAll(http.MaxBytesReader(r.w, r.Body, maxSignIn))
	if err != nil {
		return tooLarge(`send {"token":"…"} and nothing else`)
	}
	var asked struct {
		Token string `json:"token"`
	}
	if err := json.Unmarshal(body, &asked); err != nil || asked.Token == "" {
		return wrong(`send {"token":"…"}`)
	}
	t := r.api.tokens
	which := t.index(asked.Token)
	if err := t.guesses.check(r.api.Address(r.Request), which, t.now()); err != nil {
		r.api.metrics.denied()
		return err
	}
	if !t.list[which].Read {
		return forbidden("this token does not read: sign in with one that has read: true")
	}
	r.setCookie(t.session(which, t.now().Add(sessionLasts)), sessionLasts)
	r.w.WriteHeader(http.StatusNoContent)
	return nil
}

// signOut removes the cookie.
func signOut(r *request) error {
	r.setCookie("", -time.Second)
	r.w.WriteHeader(http.StatusNoContent)
	return nil
}

func (r *request) setCookie(value string, lasts time.Duration) {
	http.SetCookie(r.w, &http.Cookie{
		Name: cookie, Value: value, Path: "/", MaxAge: int(lasts / time.Second),
		HttpOnly: true, SameSite: http.SameSiteStrictMode,
		Secure: r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https",
	})
}
