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

// mergeDebugIDs are the ids on which all profiles that have a script agree. One that does not
// know the id of its script may have another release's, and must not be mapped by this one's map.
func mergeDebugIDs(ps []*Profile) map[string]string {
	ids := map[string]string{}
	for _, p := range ps {
		maps.Copy(ids, p.Meta.DebugIDs)
	}
	for _, p := range ps {
		for file, id := range p.Meta.DebugIDs {
			if ids[file] != id {
				delete(ids, file)
			}
		}
		for _, file := range p.Functions.File {
			if name := p.Strings[file]; p.Meta.DebugIDs[name] == "" {
				delete(ids, name)
			}
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return ids
}
