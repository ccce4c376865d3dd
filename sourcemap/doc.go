// Package sourcemap reads, looks up, shifts, composes, makes and writes source
// maps (ECMA-426, version 3).
//
// It serves an instrumenter that only inserts text, never a newline: such an
// edit moves columns and nothing else, so the map of the edited file is the old
// map with its columns shifted. Everything the map says about lines, sources
// and names stays true, and every field this package does not know is kept.
// [Rewrite] does this to the JSON itself, many times faster than by way of
// [Parse], which takes a map apart for those who want more of it. [Identity]
// makes a map where a file has none.
//
// Lines and columns count from 0 here, as they do in the format itself;
// columns are UTF-16 code units. (functable and profile count from 1.)
//
// A position belongs to the nearest segment at or before it on its line. Where
// several segments share one column, the first answers for that very column
// and the last for the columns after it: the rule of
// @jridgewell/trace-mapping, which the tests compare every position with.
//
// Input is not trusted. A map is refused, with the place of the fault, when its
// digits are wrong, a number leaves 31 bits or falls below zero, an index
// points after its table, a section goes back, or sections nest deeper than
// [MaxDepth]; a generated line may not lie beyond [MaxLines]. Time and memory grow
// with the size of a map, but for a table of lines, which MaxLines bounds.
// Names of sources are strings, whatever they look like: this package opens
// nothing, and who makes paths of them has to mind `../../etc/passwd`, `file:`
// and NUL.
//
// Limits: sections given by URL are refused, for nothing is fetched; the
// scopes and ranges proposals are kept as unknown fields, and are stale after a
// shift if they hold columns of the generated text.
package sourcemap
