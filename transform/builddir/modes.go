package builddir

import "io/fs"

// No part of an output may be readable or writable by more people than the input that
// it was made from.

// modeOf returns the mode of a new file: the mode of the file it replaces, else of the
// file it belongs to, without execute permission.
func (w *work) modeOf(p string, of *file) fs.FileMode {
	if f := w.tree.byPath[p]; f != nil && f.kind != link {
		return f.mode
	}
	if of != nil {
		return of.mode &^ 0o111
	}
	return w.rootMode() & 0o666
}

// rootMode returns the mode of the whole tree.
func (w *work) rootMode() fs.FileMode {
	if len(w.tree.dirs) == 0 {
		return 0o755 // in memory there are none
	}
	return w.tree.dirs[0].mode
}

// folderMode is what is kept of a folder's mode: also what decides the owner of its files.
func folderMode(mode fs.FileMode) fs.FileMode {
	return mode & (fs.ModePerm | fs.ModeSetgid | fs.ModeSticky)
}

// keepModes gives the folders of the output the permissions of the input's, last of
// all, because some may forbid writing.
func (w *work) keepModes() error {
	own := []string{Folder}
	if w.Sample > 0 {
		own = append(own, w.place(Folder))
	}
	for i := len(own) - 1; i >= 0; i-- {
		if err := w.out.Chmod(own[i], w.rootMode()); err != nil {
			return located(own[i], err)
		}
	}
	for i := len(w.tree.dirs) - 1; i >= 0; i-- { // from the inside out
		d := w.tree.dirs[i]
		places := []string{d.path}
		if at := w.place(d.path); at != d.path {
			places = []string{at, d.path}
		}
		for _, at := range places {
			if err := w.out.Chmod(at, d.mode); err != nil {
				return located(d.path, err)
			}
		}
	}
	return nil
}
