package urlerror

import (
	"errors"
	"net/http"
	"strings"
	"testing"
)

// The address is gone, and the reason is not.
func TestCause(t *testing.T) {
	_, err := http.Get("http://127.0.0.1:0/hook?token=secret")
	if err == nil {
		t.Fatal("port 0 answers")
	}
	if cause := Cause(err); strings.Contains(cause.Error(), "secret") || !errors.Is(err, cause) {
		t.Errorf("%v of %v", cause, err)
	}
	if other := errors.New("other"); Cause(other) != other {
		t.Error("another error changes")
	}
}
