package store

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/fieldprof/fieldprof/profile"
)

// Hash names a site. Hostile senders can make two sites of their own app collide with some
// 2³² attempts, and gain nothing by it.
type Hash uint64

// Site is a stack in deployed coordinates, with the kind and the marker of its samples.
type Site struct {
	Hash   Hash
	Kind   profile.Kind
	Marker profile.Marker
	Frames []Frame // the innermost first; empty without a stack
}

// Frame is a function, and where execution was in it.
type Frame struct {
	Function     profile.Function
	Line, Column int32
}

// SitesOf returns the site of each sample of a profile, by its index. Equal sites have equal
// hashes, in every profile.
func SitesOf(p *profile.Profile) []Hash {
	// A function is on many stacks, and its texts are long.
	functions := make([][sha256.Size]byte, len(p.Functions.Name))
	var b []byte
	for i := range functions {
		f := p.Function(profile.FunctionID(i))
		b = appendText(appendText(b[:0], f.Name), f.File)
		for _, n := range []int32{f.Line, f.Column, int32(f.Flags)} {
			b = binary.LittleEndian.AppendUint32(b, uint32(n))
		}
		functions[i] = sha256.Sum256(b)
	}
	stacks := make([]Hash, len(p.Stacks.Parent))
	for s, parent := range p.Stacks.Parent {
		frame := p.Stacks.Frame[s]
		b = binary.LittleEndian.AppendUint64(b[:0], hashOf(stacks, parent))
		b = append(b, functions[p.Frames.Function[frame]][:16]...)
		b = binary.LittleEndian.AppendUint32(b, uint32(p.Frames.Line[frame]))
		b = binary.LittleEndian.AppendUint32(b, uint32(p.Frames.Column[frame]))
		stacks[s] = hash(b)
	}
	sites := make([]Hash, p.Len())
	for i := range sites {
		s := p.Sample(i)
		b = binary.LittleEndian.AppendUint64(b[:0], hashOf(stacks, s.Stack))
		sites[i] = hash(append(b, byte(s.Kind), byte(s.Marker)))
	}
	return sites
}

// SiteOf is the site of a sample, spelled out.
func SiteOf(p *profile.Profile, sample int, h Hash) Site {
	s := p.Sample(sample)
	site := Site{Hash: h, Kind: s.Kind, Marker: s.Marker}
	for at := s.Stack; at != profile.NoStack; at = p.Stacks.Parent[at] {
		frame := p.Stacks.Frame[at]
		site.Frames = append(site.Frames, Frame{p.Function(p.Frames.Function[frame]), p.Frames.Line[frame], p.Frames.Column[frame]})
	}
	return site
}

func hashOf(stacks []Hash, s profile.StackID) uint64 {
	if s == profile.NoStack {
		return 0
	}
	return uint64(stacks[s])
}

func hash(b []byte) Hash {
	sum := sha256.Sum256(b)
	return Hash(binary.LittleEndian.Uint64(sum[:]))
}

func appendText(b []byte, text string) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(len(text)))
	return append(b, text...)
}
