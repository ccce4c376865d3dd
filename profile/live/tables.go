package live

import "fmt"

// tables are the records and stacks that a source has sent.
type tables struct {
	records map[int32]Record
	texts   int // bytes of names and files
	nodes   []node
}

// node is a stack: a function, where execution is in it, and its caller's stack.
type node struct {
	parent, record, line, column int32
	depth                        int32
}

func newTables() tables {
	return tables{records: map[int32]Record{Host: {ID: Host}, Collector: {ID: Collector}}}
}

// add adds what a batch brings, or nothing if something in it cannot be.
func (t *tables) add(b *Batch, attributed bool, l *Limits) error {
	if n := len(t.records) - FirstID + len(b.Records); n > l.Records {
		return fmt.Errorf("%d records, of at most %d", n, l.Records)
	}
	if n := len(t.nodes) + len(b.Stacks)/4; n > l.Stacks {
		return fmt.Errorf("%d stacks, of at most %d", n, l.Stacks)
	}
	texts := t.texts
	for _, r := range b.Records {
		texts += len(r.Name) + len(r.File)
	}
	if texts > l.Texts {
		return fmt.Errorf("%d bytes of names and files, of at most %d", texts, l.Texts)
	}
	known, before := len(t.nodes), 0
	err := func() error {
		for _, r := range b.Records {
			if _, ok := t.records[r.ID]; ok {
				return fmt.Errorf("record %d was sent before", r.ID)
			}
			if !attributed && r.Kind != "" {
				return fmt.Errorf("record %d: kind %q, which only attributed sources know", r.ID, r.Kind)
			}
			t.records[r.ID] = r
			before++
		}
		for s := b.Stacks; len(s) >= 4; s = s[4:] {
			if err := t.push(node{parent: s[0], record: s[1], line: s[2], column: s[3]}, l); err != nil {
				return err
			}
		}
		for i, stack := range b.Samples.Stack {
			if int(stack) >= len(t.nodes) {
				return fmt.Errorf("sample %d: stack %d, of %d", i, stack, len(t.nodes))
			}
		}
		return nil
	}()
	if err != nil {
		t.nodes = t.nodes[:known]
		for _, r := range b.Records[:before] {
			delete(t.records, r.ID)
		}
		return err
	}
	t.texts = texts
	return nil
}

func (t *tables) push(n node, l *Limits) error {
	i := len(t.nodes)
	if n.parent < -1 || int(n.parent) >= i || n.line < 0 || n.column < 0 {
		return fmt.Errorf("stack %d: parent %d, position %d:%d", i, n.parent, n.line, n.column)
	}
	if _, ok := t.records[n.record]; !ok {
		return fmt.Errorf("stack %d: no record %d", i, n.record)
	}
	if n.depth = 1; n.parent >= 0 {
		n.depth += t.nodes[n.parent].depth
	}
	if int(n.depth) > l.Depth {
		return fmt.Errorf("stack %d: a depth of %d, of at most %d", i, n.depth, l.Depth)
	}
	t.nodes = append(t.nodes, n)
	return nil
}
