package k6

import "go.k6.io/k6/js/modules"

// rests says that a virtual user waited until its iteration began. The function that k6
// calls then may have no check that could tell: it is short, or a bundler wrapped it.
func (u *user) rests(vu modules.VU) {
	local := vu.Events().Local
	if local == nil {
		return
	}
	began := subscribe(local.Subscribe, "IterStart")
	go func() {
		for e := range began { // k6 waits until it is done
			u.host.Rested()
			e.Done()
		}
	}()
}

// subscribe asks for the events of a name. Their types are k6's own, and so are the numbers
// behind the names; without the event, the channel is nil.
func subscribe[T interface {
	~uint8
	String() string
}, E any](to func(...T) (uint64, <-chan E), name string) <-chan E {
	for n := range 1 << 8 {
		if kind := T(n); kind.String() == name {
			_, events := to(kind)
			return events
		}
	}
	return nil
}
