package cpuprofile

// index finds nodes by id. Nearly all files number their nodes; one lookup for
// each sample is most of the work of reading.
type index struct {
	dense  []int32 // by id: index in the list, from 1
	sparse map[int64]int32
}

func newIndex(nodes []Node) index {
	most := int64(0)
	for i := range nodes {
		if id := nodes[i].ID; id < 0 || id > 8*int64(len(nodes))+1024 {
			return index{sparse: make(map[int64]int32, len(nodes))}
		}
		most = max(most, nodes[i].ID)
	}
	return index{dense: make([]int32, most+1)}
}

func (x *index) set(id int64, at int32) {
	if x.sparse != nil {
		x.sparse[id] = at
		return
	}
	x.dense[id] = at + 1
}

func (x *index) of(id int64) (at int32, ok bool) {
	if x.sparse != nil {
		at, ok = x.sparse[id]
		return at, ok
	}
	if id < 0 || id >= int64(len(x.dense)) {
		return 0, false
	}
	return x.dense[id] - 1, x.dense[id] > 0
}
