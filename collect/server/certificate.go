package server

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"
)

// certificateKeeper reads a certificate again when its file has changed: certificates are
// renewed every few weeks, and the collector need not be restarted for it.
type certificateKeeper struct {
	cert, key string
	now       func() time.Time
	log       *slog.Logger

	mu     sync.Mutex
	kept   *tls.Certificate
	of     time.Time // the file's time
	told   time.Time // the same of one that could not be read
	looked time.Time
}

// get is for tls.Config.
func (k *certificateKeeper) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.kept != nil && k.now().Sub(k.looked) < 10*time.Second {
		return k.kept, nil
	}
	k.looked = k.now()
	changed := time.Time{}
	if info, err := os.Stat(k.cert); err == nil {
		changed = info.ModTime()
	}
	if k.kept != nil && changed.Equal(k.of) {
		return k.kept, nil
	}
	c, err := tls.LoadX509KeyPair(k.cert, k.key)
	switch {
	case err == nil:
		k.kept, k.of = &c, changed
	case k.kept == nil:
		return nil, fmt.Errorf("the certificate %s with the key %s: %w", k.cert, k.key, err)
	case !changed.Equal(k.told):
		k.told = changed
		k.log.Warn("the new certificate cannot be used; the former one serves until it is over", "certificate", k.cert, "key", k.key, "until", k.kept.Leaf.NotAfter, "error", err)
	}
	return k.kept, nil // while files are being replaced, the former one serves
}
