// Package sourcemap reads, queries, shifts, makes and writes source maps
// (ECMA-426, version 3).
//
// It serves an instrumenter that only inserts text, never a newline: such an
// edit moves columns and nothing else, so the map of the edited file is the old
// map with its columns shifted. Everything the map says about lines, sources
// and names stays true, and every field this package does not know is kept.
// [Rewrite] does this on the JSON itself, many times faster than via [Parse], which
// decodes a map for other uses. [Identity] makes a map for a file that has none.
//
// Lines and columns count from 0 here, as they do in the format itself;
// columns are UTF-16 code units. (functable and profile count from 1.)
//
// A position belongs to the nearest segment at or before it on its line. If several
// segments share one column, the first applies to that very column and the last to
// the columns after it: the rule of @jridgewell/trace-mapping, against which the tests
// compare every position.
//
// Input is not trusted. A map is refused, with the place of the fault, if its digits
// are wrong, a generated column exceeds 31 bits or is negative, a section goes back,
// sections nest deeper than [MaxDepth], or a generated line lies beyond [MaxLines]. Smaller
// faults are tolerated: a segment with an invalid source or position is read as unmapped
// text, a segment with an invalid name has no name, and the ignore list loses its invalid
// entries. Time and memory grow with the size of a map, except for
// a table of lines, which MaxLines bounds. Names of sources are strings, whatever they
// look like: this package opens nothing, and callers that turn them into paths must
// guard against `../../etc/passwd`, `file:` and NUL.
//
// Limits: sections given by URL are refused, because nothing is fetched; the
// scopes and ranges proposals are kept as unknown fields, and are stale after a
// shift if they hold columns of the generated text.
package sourcemap
