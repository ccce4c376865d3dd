package overhead

import (
	"errors"
	"regexp"
)

// Every real program ends in a loop of rounds, as many as its argument says:
//
//	for (let round = 0; round < Math.ceil(14 * scale); round++) {
//
// In a bundle the loop looks like this, indented if there is a function around it.
var (
	loopHead = regexp.MustCompile(`(?m)^( *)for \(let (\w+) = 0; \w+ < (Math\.ceil\((?:\d+ \* )?scale\d*\)|frames\d*); \w+\+\+\) \{$`)
	// The lines directly above the loop set up its state, so that each run does the same work.
	state = regexp.MustCompile(`(?m)(?:^ *(?:var|let|const) \w+ = (?:random\d*|registry\d*|Math\.ceil)\(.*\);\n)+\z`)
	bound = regexp.MustCompile(`Math\.ceil\((?:\d+ \* )?scale\d*\)`)
)

// iterable puts a bundle's loop of rounds into a function of their number,
// globalThis.__iterate, so that loading the bundle runs nothing, and the same compiled
// code can run again and again.
func iterable(code []byte) ([]byte, error) {
	heads := loopHead.FindAllSubmatchIndex(code, -1)
	if len(heads) != 1 {
		return nil, errors.New("it has no single loop of rounds that could be called again")
	}
	head := heads[0]
	indent := string(code[head[2]:head[3]])
	tail := regexp.MustCompile(`(?m)^` + indent + `\}$`).FindIndex(code[head[1]:])
	if tail == nil {
		return nil, errors.New("its loop of rounds has no end")
	}
	end := head[1] + tail[1]
	begin := head[0]
	if above := state.FindIndex(code[:begin]); above != nil {
		begin = above[0]
	}
	var text []byte
	text = append(text, code[:begin]...)
	text = append(text, indent+"globalThis.__iterate = (rounds) => {\n"...)
	text = append(text, bound.ReplaceAll(code[begin:end], []byte("rounds"))...)
	text = append(text, "\n"+indent+"};"...)
	return append(text, code[end:]...), nil
}
