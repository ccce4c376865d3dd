package esbuildplugin

import (
	"maps"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// esbuild makes the hashes in names before the checks go in. A comment in each
// script that says what they will be makes them hashes of what is deployed.

// addSalt adds the comment where a name of a script is made of a hash.
func addSalt(initial *api.BuildOptions, salt string) {
	if !namesHoldHashes(initial) {
		return
	}
	comment := "/* " + salt + " */"
	banner := maps.Clone(initial.Banner) // it is the caller's
	if banner == nil {
		banner = map[string]string{}
	}
	switch own := banner["js"]; {
	case own == "":
		banner["js"] = comment
	case strings.HasPrefix(own, "#!"): // which is one only in the first line
		banner["js"] = own + "\n" + comment
	default:
		banner["js"] = comment + "\n" + own
	}
	initial.Banner = banner
}

func namesHoldHashes(initial *api.BuildOptions) bool {
	const hash = "[hash]"
	return strings.Contains(initial.EntryNames, hash) ||
		initial.Splitting && (initial.ChunkNames == "" || strings.Contains(initial.ChunkNames, hash))
}

// isForPages reports whether the output is for browsers, in scripts that a page
// can begin with.
func isForPages(initial *api.BuildOptions) bool {
	if initial.Platform != api.PlatformDefault && initial.Platform != api.PlatformBrowser {
		return false
	}
	switch initial.Format {
	case api.FormatIIFE, api.FormatESModule:
		return true
	case api.FormatDefault:
		return initial.Bundle
	}
	return false
}

// entryScripts are the globs of the scripts among outputs that a page can begin
// with: all, except for the chunks that they share, which only the metafile tells
// apart.
func (w *work) entryScripts(paths []string, outputs map[string]output) []string {
	var globs []string
	for _, p := range paths {
		if strings.HasSuffix(p, w.scriptSuffix) && (!w.splitting || outputs[w.place.named(under(w.place.root, filepath.FromSlash(p)), api.MetafileAbsPath)].isEntry) {
			globs = append(globs, "/"+globSpecial.Replace(p))
		}
	}
	return globs
}

// globSpecial escapes what has a meaning in globs.
var globSpecial = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`, `]`, `\]`, `{`, `\{`, `}`, `\}`)
