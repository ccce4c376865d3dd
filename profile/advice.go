package profile

import (
	"fmt"
	"slices"
	"strings"
)

// muchProgram is the share of a profile's busy ticks, in percent, above which (program) hides
// something worth knowing.
const muchProgram = 10

// Advice says which preset would tell more where (program) has more than a tenth of the
// busy ticks, else "": that is the time of functions without checks that no checked function
// calls, and of the engine. Waiting is not busy: a service that has little to do waits nearly
// always. Precise leaves out nothing, so there is no advice for it, nor
// for profiles without checks.
//
//	(program) has 42.7% of the busy time, also that of small functions: --preset fine or precise checks more of them
func (p *Profile) Advice() string {
	more := p.moreDetail()
	if more == "" {
		return ""
	}
	var program, busy int64
	for i, s := range p.Samples.Stack {
		if !p.IsBusy(s) {
			continue
		}
		weight := int64(p.Samples.Weight[i])
		busy += weight
		f := p.Frames.Function[p.Stacks.Frame[s]]
		if p.Functions.Flags[f]&Pseudo != 0 && p.Strings[p.Functions.Name[f]] == NameProgram {
			program += weight
		}
	}
	if program*100 <= busy*muchProgram {
		return ""
	}
	return fmt.Sprintf("%s has %.1f%% of the busy time, also that of small functions: --preset %s checks more of them", NameProgram, 100*float64(program)/float64(busy), more)
}

// moreDetail names the presets that check more functions than the profile's did, "" if there is none.
func (p *Profile) moreDetail() string {
	words := strings.Split(p.Meta.Preset, ", ")
	switch {
	case slices.Contains(words, "N 1"), words[0] == "precise" && len(words) == 1:
		return ""
	case words[0] == "fine", words[0] == "precise", slices.Contains(words, "N 2"), slices.Contains(words, "N 3"):
		return "precise"
	case words[0] != "":
		return "fine or precise"
	case slices.ContainsFunc(p.Functions.Flags, func(f Flags) bool { return f&Checked != 0 }):
		return "fine or precise" // a page's: it does not know its preset
	}
	return ""
}
