package view

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

// The mark is in every table, is explained below it, and is in JSON.
func TestHoldersAreMarked(t *testing.T) {
	build := func(flags profile.Flags) *profile.Profile {
		var b profile.Builder
		b.Meta.Interval = time.Millisecond
		f := b.Function(profile.Function{Name: strings.Repeat("long", 20), Flags: profile.Checked | flags})
		g := b.Function(profile.Function{Name: "plain", Flags: profile.Checked})
		s := b.Stack(profile.NoStack, b.Frame(f, 0, 0))
		b.Sample(profile.Sample{Stack: s, Weight: 60})
		b.Sample(profile.Sample{Time: 1, Stack: b.Stack(s, b.Frame(g, 0, 0)), Weight: 40})
		return b.Profile()
	}
	tables := map[string]func(p *profile.Profile, b *bytes.Buffer) error{
		"top": func(p *profile.Profile, b *bytes.Buffer) error { return WriteTop(b, p, 0) },
		"tree": func(p *profile.Profile, b *bytes.Buffer) error {
			return WriteTree(b, NewTree(p, TopDown, TreeOptions{}), 60)
		},
		"diff": func(p *profile.Profile, b *bytes.Buffer) error {
			return WriteDiff(b, Diff(build(0), p, DiffOptions{}), 0)
		},
	}
	for name, write := range tables {
		var with, without bytes.Buffer
		must.Do(t, write(build(profile.HoldsOthers), &with))
		must.Do(t, write(build(0), &without))
		if !strings.Contains(with.String(), "… +") || !strings.Contains(with.String(), legend+"\n") || strings.Contains(with.String(), "plain +") {
			t.Errorf("%s:\n%s", name, with.String())
		}
		if strings.Contains(without.String(), "+ ") && strings.Contains(without.String(), legend) || strings.Contains(without.String(), "… +") {
			t.Errorf("%s of a profile without holders:\n%s", name, without.String())
		}
	}
	p := build(profile.HoldsOthers)
	if top := NewTop(p, 0); !top.Functions[0].HoldsOthers || top.Functions[1].HoldsOthers {
		t.Errorf("%+v", top.Functions)
	}
	if list := NewTreeList(p, NewTree(p, TopDown, TreeOptions{})); !list.Nodes[0].HoldsOthers {
		t.Errorf("%+v", list.Nodes)
	}
	if list := NewDiffList(Diff(build(0), p, DiffOptions{}), 0); !list.Functions[0].HoldsOthers && !list.Functions[1].HoldsOthers {
		t.Errorf("%+v", list.Functions)
	}
}
