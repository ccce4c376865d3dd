package overhead

import (
	"hash/fnv"
	"maps"
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/bench/estimate"
	"github.com/fieldprof/fieldprof/bench/figures"
)

// Report is what checks and recordings cost.
type Report struct {
	figures.Origin
	Seed  uint64        `json:"seed"`
	Took  time.Duration `json:"tookNs"`
	Quick bool          `json:"quick,omitempty"`
	// Uncounted says why no instructions were counted; "" if they were.
	Uncounted string `json:"uncounted,omitempty"`
	// Engines by name, then presets.
	Engines map[string]map[string]*Table `json:"engines"`
	// Skipped says why a cell was not measured: "engine/program, preset".
	Skipped map[string]string `json:"skipped,omitempty"`
	// Unrun is how many of the planned invocations the budget did not allow.
	Unrun int `json:"unrun,omitempty"`
	// Within, in percent, is what the checks were to cost that counts have chosen; else 0.
	Within float64 `json:"within,omitempty"`
	Trial  *Trial  `json:"trial,omitempty"`
	Proof  *Proof  `json:"proof,omitempty"`
}

// Table is a preset's cost in an engine.
type Table struct {
	Programs map[string]*Program `json:"programs"`
	// Means are over the programs of a group, of which there are three at least.
	Means map[string]map[string]*Mean `json:"means"`
}

// Mean is the cost in a group: the same figures with the interval for just these
// programs, which shows a change, and with that for others of the kind.
type Mean struct {
	These  Costs `json:"these"`
	Others Costs `json:"others"`
}

// Program is the cost in one program.
type Program struct {
	Group  string  `json:"group"`
	Rounds int     `json:"rounds"` // of a turn
	Turn   float64 `json:"turnMs"`
	Design *design `json:"design,omitempty"`
	Placed *Placed `json:"placed,omitempty"` // where counts have chosen the checks
	// Columns by key: costs in percent, and the invocations' values from which they come.
	Columns map[string]*Column `json:"columns"`
}

// Column is a program's cost in one phase. Values are logarithms of ratios, by meter, one
// of each invocation.
type Column struct {
	Costs
	Values map[string][]float64 `json:"values"`
}

// Costs are by meter, in percent of the clean build.
type Costs struct {
	Main         *estimate.Estimate `json:"main,omitempty"`
	Process      *estimate.Estimate `json:"process,omitempty"`
	Wall         *estimate.Estimate `json:"wall,omitempty"`
	Instructions *estimate.Estimate `json:"instructions,omitempty"`
}

func (c *Costs) of(meter int) **estimate.Estimate {
	return [...]**estimate.Estimate{&c.Main, &c.Process, &c.Wall, &c.Instructions}[meter]
}

// columns of tables: phases of ways.
var columns = []struct{ key, title, phase, clock string }{
	{"idle", "idle", idlePhase, ""},
	{"sharedFirst", "shared, first second", firstPhase, "shared"},
	{"sharedSettled", "shared, settled", settledPhase, "shared"},
	{"sharedStopped", "a second after its end", stoppedPhase, "shared"},
	{"sharedEnded", "after its end, settled", endedPhase, "shared"},
	{"pollFirst", "polling, first second", firstPhase, "poll"},
	{"pollSettled", "polling, settled", settledPhase, "poll"},
}

// columnOf is the key of a phase; the idle one comes before any clock runs.
func columnOf(phase, clock string) string {
	for _, c := range columns {
		if c.phase == phase && (c.clock == clock || c.clock == "") {
			return c.key
		}
	}
	return ""
}

// evaluate turns invocations into figures.
func evaluate(c *collector) *Report {
	r := &Report{Engines: map[string]map[string]*Table{}, Skipped: c.skipped, Unrun: c.unrun, Uncounted: c.uncounted}
	designs := c.designs()
	for _, record := range c.records {
		if record.way.clean || record.way.only {
			continue
		}
		byPreset := r.Engines[record.Engine]
		if byPreset == nil {
			byPreset = map[string]*Table{}
			r.Engines[record.Engine] = byPreset
		}
		table := byPreset[record.checks()]
		if table == nil {
			table = &Table{Programs: map[string]*Program{}}
			byPreset[record.checks()] = table
		}
		p := table.Programs[record.Program.Name]
		if p == nil {
			p = &Program{Group: record.cell.group(), Columns: map[string]*Column{}, Placed: c.made[record.pair()].placed}
			table.Programs[record.Program.Name] = p
			if d, ok := designs[record.cell.String()]; ok {
				p.Design = &d
			}
		}
		p.add(&record)
	}
	for engine, byPreset := range r.Engines {
		for preset, table := range byPreset {
			for name := range table.Programs {
				if c.skipped[engine+"/"+name+", "+preset] != "" {
					delete(table.Programs, name) // it failed later: nothing of it counts
				}
			}
		}
	}
	r.sumUp()
	return r
}

// sumUp makes all estimates from the values of invocations.
func (r *Report) sumUp() {
	for engine, byPreset := range r.Engines {
		for preset, table := range byPreset {
			table.Means = map[string]map[string]*Mean{}
			table.estimate(engine, preset)
			table.mean(engine, preset)
		}
	}
}

// add adds an invocation's values.
func (p *Program) add(r *record) {
	p.Rounds, p.Turn = r.result.Rounds, r.result.turnTime(0)
	for i, phase := range r.order.Phases {
		key := columnOf(phase.Name, r.order.Clock)
		if key == "" {
			continue
		}
		column := p.Columns[key]
		if column == nil {
			column = &Column{Values: map[string][]float64{}}
			p.Columns[key] = column
		}
		for meter, name := range meters {
			if value, ok := r.result.value(i, phase.Name, meter); ok {
				column.Values[name] = append(column.Values[name], value)
			}
		}
	}
}

// enough is how many invocations show the scatter of a program by themselves. With fewer, its
// variance is moderated by the variances of all programs.
const enough = 5

// estimate fills in the costs of programs.
func (t *Table) estimate(names ...string) {
	for _, c := range columns {
		for meter, name := range meters {
			var all [][]float64
			for _, program := range slices.Sorted(maps.Keys(t.Programs)) {
				if column := t.Programs[program].Columns[c.key]; column != nil {
					all = append(all, column.Values[name])
				}
			}
			prior, known := estimate.PriorOf(all)
			of := func(values [][]float64, seed uint64) *estimate.Estimate {
				if !known || len(values[0]) >= enough {
					return estimate.Stratified(values, seed)
				}
				return prior.Mean(values[0])
			}
			for program, p := range t.Programs {
				if column := p.Columns[c.key]; column != nil {
					*column.of(meter) = percents(of, [][]float64{column.Values[name]}, append(slices.Clone(names), program, c.key, name)...)
				}
			}
		}
	}
}

// mean fills in the means of groups.
func (t *Table) mean(names ...string) {
	groups := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(t.Programs)) {
		group := t.Programs[name].Group
		groups[group] = append(groups[group], name)
	}
	for group, programs := range groups {
		means := map[string]*Mean{}
		for _, c := range columns {
			var mean Mean
			for meter, name := range meters {
				var values [][]float64
				for _, program := range programs {
					if column := t.Programs[program].Columns[c.key]; column != nil && len(column.Values[name]) > 0 {
						values = append(values, column.Values[name])
					}
				}
				if len(values) >= estimate.FewestForMean {
					*mean.These.of(meter) = percents(estimate.Stratified, values, append(slices.Clone(names), group, c.key, name)...)
					*mean.Others.of(meter) = percents(estimate.Nested, values, append(slices.Clone(names), group, c.key, name)...)
				}
			}
			if mean != (Mean{}) {
				means[c.key] = &mean
			}
		}
		if len(means) > 0 {
			t.Means[group] = means
		}
	}
}

// percents is an estimate in percent; the texts of about seed its replicates.
func percents(of func([][]float64, uint64) *estimate.Estimate, values [][]float64, about ...string) *estimate.Estimate {
	hash := fnv.New64a()
	for _, text := range about {
		_, _ = hash.Write([]byte(text + "\x00"))
	}
	e := of(values, hash.Sum64())
	if e == nil {
		return nil
	}
	p := e.Percents()
	p.Replicates = nil // a report must be read as it was written
	return &p
}
