package sentry

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/jsonstream"
)

// image is what debug_meta says about a script: the id by which Sentry finds its map.
type image struct {
	Type string `json:"type"` // "sourcemap", of scripts
	File string `json:"code_file"`
	ID   string `json:"debug_id"`
}

// images are a profile's debug ids as JSON.
func images(p *profile.Profile) []byte {
	list := []image{}
	for _, file := range slices.Sorted(maps.Keys(p.Meta.DebugIDs)) {
		list = append(list, image{"sourcemap", file, p.Meta.DebugIDs[file]})
	}
	text, err := json.Marshal(list)
	if err != nil {
		panic(err) // they are strings
	}
	return text
}

// readImages reads debug_meta.
func (c *chunk) readImages(in *jsonstream.Reader) error {
	ids := map[string]string{}
	err := in.Members(jsonstream.Members{{"images", func() error {
		return in.Array(func(int) error {
			var i image
			err := in.Members(jsonstream.Members{{"type", &i.Type}, {"code_file", &i.File}, {"debug_id", &i.ID}})
			if i.Type == "sourcemap" {
				ids[i.File] = i.ID
			}
			return err
		})
	}}})
	c.debugIDs = profile.DebugIDs(ids)
	return err
}
