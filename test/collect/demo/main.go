// Command demo shows `instrument collect` at work, with nothing to set up: it starts a collector
// and a shop whose pages send to it, uploads the shop's source maps, opens the shop in the
// browsers that there are, clicks, and says what the collector knows some seconds later.
// Then both stay open for people to look at, until Ctrl-C.
//
//	make demo-field
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/test/collect/field"
)

func main() {
	once := flag.Bool("once", false, "end when the collector has answered")
	listen := flag.String("listen", "127.0.0.1:0", "`address` of the collector")
	flag.Parse()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	if err := demo(ctx, *listen, *once); err != nil && ctx.Err() == nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

func demo(ctx context.Context, listen string, once bool) error {
	dir, err := os.MkdirTemp("", "fieldprof-demo")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	c, err := startCollector(ctx, dir, listen)
	if err != nil {
		return err
	}
	defer c.stop()
	shop, err := field.Open(ctx, filepath.Join(dir, "shop"), c.Send)
	if err != nil {
		return err
	}
	defer shop.Close()
	if err := c.upload(ctx, field.Release, shop.Dir); err != nil {
		return err
	}
	fmt.Printf("Shop:       %s/index.html, which sends all time; with ?slices, what is slow\nDashboard:  %s\n\n", shop.URL, c.Dashboard)
	visited, err := visit(shop)
	if err != nil {
		return err
	}
	if visited > 0 {
		if err := c.show(ctx, time.Now()); err != nil {
			return err
		}
	}
	if once {
		return nil
	}
	fmt.Println("\nThe shop and the collector are open until Ctrl-C.")
	<-ctx.Done()
	return nil
}

// visit opens the shop in each browser that there is, and returns how many there are.
func visit(shop *field.Shop) (visited int, err error) {
	defer browser.Stop()
	for _, name := range browser.Names() {
		session, err := browser.Start(name)
		if err != nil {
			fmt.Printf("%-10s  %v\n", name, err)
			continue
		}
		for _, slices := range []bool{false, true} {
			if err := shop.Visit(session, slices); err != nil {
				return visited, fmt.Errorf("%s: %w", name, err)
			}
		}
		fmt.Printf("%-10s  has clicked its way through the shop twice\n", name)
		visited++
	}
	return visited, nil
}

// collector is a running `instrument collect`.
type collector struct {
	Collector, Send, Dashboard, Token string

	program string
	process *exec.Cmd
}

func startCollector(ctx context.Context, dir, listen string) (*collector, error) {
	c := &collector{program: filepath.Join(dir, "instrument")}
	build := exec.CommandContext(ctx, "go", "build", "-o", c.program, "./cmd/instrument")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return nil, fmt.Errorf("building instrument (run this in the project's folder): %w", err)
	}
	c.process = exec.Command(c.program, "collect", "--listen", listen, "--data", filepath.Join(dir, "data"), "--json")
	log, err := os.Create(filepath.Join(dir, "collect.log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	c.process.Stderr = log
	out, err := c.process.StdoutPipe()
	if err == nil {
		err = c.process.Start()
	}
	if err != nil {
		return nil, err
	}
	if err := json.NewDecoder(out).Decode(c); err != nil {
		c.stop()
		text, _ := os.ReadFile(log.Name())
		return nil, fmt.Errorf("instrument collect does not start: %s", text)
	}
	return c, nil
}

func (c *collector) stop() {
	c.process.Process.Signal(syscall.SIGTERM)
	c.process.Wait()
}

// run runs another command of instrument with the collector's token.
func (c *collector) run(ctx context.Context, out io.Writer, args ...string) error {
	cmd := exec.CommandContext(ctx, c.program, append(args[:1:1], append([]string{"--url", c.Collector}, args[1:]...)...)...)
	cmd.Env = append(os.Environ(), "FIELDPROF_TOKEN="+c.Token)
	cmd.Stdout, cmd.Stderr = out, os.Stderr
	return cmd.Run()
}

func (c *collector) upload(ctx context.Context, release, dir string) error {
	return c.run(ctx, io.Discard, "upload", "--release", release, dir)
}

// show prints what the collector says, once it has both time and slices.
func (c *collector) show(ctx context.Context, since time.Time) error {
	for !c.knows(ctx) {
		if time.Since(since) > time.Minute {
			return errors.New("the collector has nothing to show after a minute")
		}
		time.Sleep(200 * time.Millisecond)
	}
	fmt.Printf("\nAfter %.1f s the collector shows:\n\n", time.Since(since).Seconds())
	if err := c.run(ctx, os.Stdout, "query", "functions", "--from", "now-1h", "--top", "8"); err != nil {
		return err
	}
	fmt.Println()
	return c.run(ctx, os.Stdout, "query", "slices", "--from", "now-1h", "--top", "5")
}

// knows reports whether both visits have arrived.
func (c *collector) knows(ctx context.Context) bool {
	return c.rows(ctx, "functions") > 0 && c.rows(ctx, "slices") > 0
}

// rows is the number of rows of an answer, whose list is called like its question.
func (c *collector) rows(ctx context.Context, question string) int {
	var out bytes.Buffer
	if c.run(ctx, &out, "query", question, "--from", "now-1h", "--json") != nil {
		return 0
	}
	var answer map[string]json.RawMessage
	var list []json.RawMessage
	if json.Unmarshal(out.Bytes(), &answer) != nil || json.Unmarshal(answer[question], &list) != nil {
		return 0
	}
	return len(list)
}
