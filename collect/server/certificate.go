package server

import (
	"crypto/tls"
	"fmt"
	"os"
	"sync"
	"time"
)

// certificateKeeper reads a certificate again when its file has changed: certificates are
// renewed every few weeks, and the collector need not be restarted for it.
type certificateKeeper struct {
	cert, key string
	now       func() time.Time

	mu     sync.Mutex
	kept   *tls.Certificate
	of     time.Time // the file's time
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
	}
	return k.kept, nil // while files are being replaced, the former one serves
}
