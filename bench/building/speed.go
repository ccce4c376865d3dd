package building

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/internal/cputime"
	"github.com/fieldprof/fieldprof/transform"
)

// SpeedReport compares the transform with a bare lexer and with other tools, in
// processor time.
type SpeedReport struct {
	figures.Origin
	Rounds   int               `json:"rounds"`
	Versions map[string]string `json:"versions"`
	Peers    []SpeedPeer       `json:"peers"`
	Files    []SpeedFile       `json:"files"`
	// TwoCores is the time of one goroutine on one core over all files, against the
	// time of two goroutines on two cores.
	TwoCores Ratio `json:"twoCores"`
	// TwoCoresFloor is the same for a loop that touches no memory: the best that two
	// cores of this machine can do.
	TwoCoresFloor Ratio `json:"twoCoresFloor"`
}

// SpeedPeer is one tool over all the texts it was given and could read.
type SpeedPeer struct {
	Name   string   `json:"name"`
	Goal   string   `json:"goal,omitempty"`
	Files  int      `json:"files"`
	Bytes  int      `json:"bytes"`
	MBps   float64  `json:"megabytesPerSecond"`
	Lexer  Ratio    `json:"lexerTimeByItsTime"`
	Ours   Ratio    `json:"itsTimeByOurs"` // zero for our own
	Failed []string `json:"failed,omitempty"`
}

// Ratio is a ratio of sums of medians, with the ratios of single rounds.
type Ratio struct {
	Ratio  float64   `json:"ratio"`
	Rounds []float64 `json:"rounds,omitempty"`
}

// SpeedFile is one text: the median nanoseconds of each peer, and the bytes that
// the transform allocates for each byte of it.
type SpeedFile struct {
	Name      string             `json:"name"`
	Printed   bool               `json:"printedByESBuild,omitempty"`
	Bytes     int                `json:"bytes"`
	MapBytes  int                `json:"mapBytes,omitempty"`
	NS        map[string]float64 `json:"medianNs"`
	Allocated map[string]float64 `json:"bytesAllocatedPerByte"`
}

// Speed times all peers on each file in turn, in an order that changes each
// round, after a warm-up round that does not count.
func Speed(ctx context.Context, rounds int, only string, progress figures.Progress) (*SpeedReport, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	progress.Show("packages from npm")
	folder, err := os.MkdirTemp("", "fieldprof-speed-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	subjects, err := speedSubjects(folder, only)
	if err != nil {
		return nil, err
	}
	node, err := startNodePeers(ctx)
	if err != nil {
		return nil, err
	}
	defer node.stop()
	hello, err := node.ask(map[string]any{})
	if err != nil {
		return nil, err
	}
	run := speedRun{peers: speedPeers(), subjects: subjects, node: node, cells: map[cellKey]*speedCell{}}
	for round := -1; round < rounds; round++ {
		for i := range subjects {
			progress.Show("%s, round %d of %d", subjects[i].name, round+1, rounds)
			if err := run.file(ctx, round, i); err != nil {
				return nil, fmt.Errorf("%s: %w", subjects[i].name, err)
			}
		}
	}
	report := run.report()
	report.Origin, report.Rounds, report.Versions = figures.Runs("speed", rounds), rounds, hello.Versions
	progress.Show("two cores")
	if report.TwoCores, report.TwoCoresFloor, err = twoCores(subjects, rounds); err != nil {
		return nil, err
	}
	return report, nil
}

type speedRun struct {
	peers    []peer
	subjects []subject
	node     *nodePeers
	cells    map[cellKey]*speedCell
}

// cellKey is a peer and a subject, by index.
type cellKey struct{ peer, subject int }

type speedCell struct {
	ns        []float64 // by round
	allocated uint64
	failure   string
}

// file runs one round of all peers on one subject.
func (r *speedRun) file(ctx context.Context, round, subject int) error {
	s := &r.subjects[subject]
	code, sourceMap, err := s.load()
	if err != nil {
		return err
	}
	for i := range r.peers {
		index := (i + max(0, round)) % len(r.peers)
		p := &r.peers[index]
		if !p.takes(s) || ctx.Err() != nil {
			continue
		}
		key := cellKey{index, subject}
		if r.cells[key] == nil {
			r.cells[key] = new(speedCell)
		}
		cell := r.cells[key]
		if cell.failure != "" {
			continue
		}
		took, err := r.once(p, s, code, sourceMap, cell)
		if err != nil {
			return err
		}
		if round >= 0 {
			cell.ns = append(cell.ns, float64(took))
		}
	}
	return ctx.Err()
}

// once runs one peer on one subject. A failure of another's tool goes into the
// cell; a failure of our own tool, or of the reference lexer, ends the bench.
func (r *speedRun) once(p *peer, s *subject, code, sourceMap []byte, cell *speedCell) (took time.Duration, err error) {
	if p.run == nil {
		took, cell.failure, err = r.node.time(p.name, s)
		return took, err
	}
	runtime.GC() // collect the previous peer's garbage now
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := usedTime()
	err = p.run(s, code, sourceMap)
	took = usedTime() - start
	runtime.ReadMemStats(&after)
	cell.allocated = after.TotalAlloc - before.TotalAlloc
	if err != nil && p.against != "" {
		cell.failure, err = err.Error(), nil
	}
	return took, err
}

// twoCores times the transform over all files: one goroutine on one core, then
// two on two, the largest files first.
func twoCores(subjects []subject, rounds int) (ours, floor Ratio, err error) {
	var codes [][]byte
	for i := range subjects {
		if subjects[i].printed {
			continue
		}
		code, _, err := subjects[i].load()
		if err != nil {
			return ours, floor, err
		}
		codes = append(codes, code)
	}
	slices.SortFunc(codes, func(x, y []byte) int { return len(y) - len(x) })
	var one, two, spinOne, spinTwo []float64
	for range 3 * rounds {
		one = append(one, float64(overAll(codes, 1)))
		two = append(two, float64(overAll(codes, 2)))
		spinOne = append(spinOne, float64(spin(1)))
		spinTwo = append(spinTwo, float64(spin(2)))
	}
	return ratioOf(one, two), ratioOf(spinOne, spinTwo), nil
}

// ratioOf compares times that were taken in turn.
func ratioOf(one, two []float64) Ratio {
	ratio := Ratio{Ratio: figures.Median(one) / figures.Median(two)}
	for i := range one {
		ratio.Rounds = append(ratio.Rounds, one[i]/two[i])
	}
	return ratio
}

// spin does a fixed amount of arithmetic on some cores.
func spin(cores int) time.Duration {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
	start := time.Now()
	var wait sync.WaitGroup
	for range cores {
		wait.Go(func() {
			x := uint64(88172645463325252)
			for range 400_000_000 / cores {
				x ^= x << 13
				x ^= x >> 7
				x ^= x << 17
			}
			runtime.KeepAlive(x)
		})
	}
	wait.Wait()
	return time.Since(start)
}

func overAll(codes [][]byte, cores int) time.Duration {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
	runtime.GC()
	next := make(chan []byte, len(codes))
	for _, code := range codes {
		next <- code
	}
	close(next)
	start := time.Now()
	var wait sync.WaitGroup
	for range cores {
		wait.Go(func() {
			for code := range next {
				transform.Transform(code, transform.Options{})
			}
		})
	}
	wait.Wait()
	return time.Since(start)
}

var began = time.Now()

// usedTime is processor time, or the clock's time if the system does not report it: the
// difference of two is the time of the work in between.
func usedTime() time.Duration {
	if spent, known := cputime.Process(); known {
		return spent
	}
	return time.Since(began)
}
