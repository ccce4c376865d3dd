package builddir

// In a sampled output, what is in the variant holds digests of the variant's files. The clean site beside it, of which
// only pages changed, holds those of its own.

// renewClean brings the digests of pages that changed up to date in the clean scripts and manifests of a sampled output, and
// the digests of these.
func (w *work) renewClean(pages []string) error {
	if len(pages) == 0 {
		return nil
	}
	d := newDigests(w)
	d.isNew, d.latest = w.isNewClean, w.latestClean
	d.files = pages
	holders := map[string]func() error{}
	hold := func(p string, renew func(text []byte) ([]byte, error)) {
		d.files = append(d.files, p)
		holders[p] = func() error { return w.renewCleanFile(p, renew) }
	}
	for _, s := range w.scripts {
		if s.digests {
			hold(s.path, d.inCleanScript)
		}
	}
	for _, f := range w.tree.files {
		if mayRenew(f) {
			hold(f.path, func(text []byte) ([]byte, error) { return d.inManifest(f.path, text) })
		}
	}
	if err := d.settleAll(holders); err != nil {
		return err
	}
	return d.warnOfLate(nil)
}

// renewCleanFile keeps what renew makes of a file of the input, unless that is nil.
func (w *work) renewCleanFile(p string, renew func(text []byte) ([]byte, error)) error {
	text, err := w.in.ReadFile(p)
	if err != nil {
		return located(p, err)
	}
	renewed, err := renew(text)
	if err == nil && renewed != nil {
		w.renewedClean[p] = renewed
	}
	return err
}

// inCleanScript is inScript, but for scripts of which another file holds a digest: the variant's has told of these.
func (d *digests) inCleanScript(src []byte) ([]byte, error) {
	renewed, err := d.inScript(src, spelledIntegrity)
	if err != nil || renewed == nil || d.w.holderOf(src) != "" {
		return nil, err
	}
	return renewed, nil
}

// isNewClean reports whether the clean site of a sampled output has a file of the input with other contents.
func (w *work) isNewClean(p string) bool {
	return w.renewedClean[p] != nil || w.ofPage(p) && w.isNew(p)
}

// latestClean returns the contents that a file of the input has in the clean site of a sampled output, as far as it is made.
func (w *work) latestClean(p string) ([]byte, error) {
	if text := w.renewedClean[p]; text != nil {
		return text, nil
	}
	if w.ofPage(p) {
		return w.latest(p)
	}
	text, err := w.in.ReadFile(p)
	if err != nil {
		return nil, located(p, err)
	}
	return text, nil
}
