package collecting

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/test/browser"
)

// Dashboard is how fast the dashboard opens in a browser, in milliseconds from the start of the
// navigation; medians.
type Dashboard struct {
	Browser  string  `json:"browser"`
	Paint    float64 `json:"paint"`    // first contentful paint
	Overview float64 `json:"overview"` // the table of routes and releases is there
	Flame    float64 `json:"flame"`    // the flame graph of the day is there
}

// patience ends what hangs.
const patience = 2 * time.Minute

// open opens the dashboard of a collector that has the day.
func (d *Day) open(program, folder, file string, runs int, progress figures.Progress) (err error) {
	home := filepath.Join(folder, "dashboard")
	if err := os.Mkdir(home, 0o700); err != nil {
		return err
	}
	c, err := start(program, home, "store: sqlite:"+file+"\n")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.stop()) }()
	defer browser.Stop()
	for _, name := range []string{"chromium", "firefox"} {
		progress.Show("the dashboard in %s", name)
		session, err := browser.Start(name)
		if err != nil {
			return err
		}
		opened, err := openIn(session, name, c.dashboard, runs)
		if err != nil {
			return fmt.Errorf("the dashboard in %s: %w", name, err)
		}
		d.Dashboards = append(d.Dashboards, *opened)
	}
	return nil
}

// openIn signs in and then opens the overview and the flame graph some times.
func openIn(session *browser.Session, name, dashboard string, runs int) (*Dashboard, error) {
	tab, err := session.Open(dashboard)
	if err != nil {
		return nil, err
	}
	defer tab.Close()
	const overview, flame = "#main table tbody tr", "#main canvas"
	if _, err := tab.Wait(shown(overview), patience); err != nil {
		return nil, err
	}
	var paints, overviews, flames []float64
	for range runs {
		paint, at, err := visit(tab, "?app=shop", overview)
		if err != nil {
			return nil, err
		}
		_, drawn, err := visit(tab, "?app=shop&view=profile", flame)
		if err != nil {
			return nil, err
		}
		paints, overviews, flames = append(paints, paint), append(overviews, at), append(flames, drawn)
	}
	return &Dashboard{name, figures.Median(paints), figures.Median(overviews), figures.Median(flames)}, nil
}

func shown(selector string) string {
	return fmt.Sprintf("document.querySelector(%q) !== null", selector)
}

// visit navigates to a view, and says when it painted first and when an element was there.
func visit(tab *browser.Tab, query, selector string) (paint, there float64, err error) {
	leave := fmt.Sprintf("(window.left = true, setTimeout(() => location.assign(%q)), true)", query+fmt.Sprint("&visit=", time.Now().UnixNano()))
	if _, err := tab.Eval(leave); err != nil {
		return 0, 0, err
	}
	if _, err := tab.Wait("!window.left && document.readyState !== 'loading'", patience); err != nil {
		return 0, 0, err
	}
	text, err := tab.Eval(fmt.Sprintf(`new Promise((done) => {
		const look = () => {
			const paint = performance.getEntriesByName('first-contentful-paint')[0];
			if (%s && paint) done([paint.startTime, performance.now()]);
			else requestAnimationFrame(look);
		};
		look();
	})`, shown(selector)))
	if err != nil {
		return 0, 0, err
	}
	var times [2]float64
	err = json.Unmarshal(text, &times)
	return times[0], times[1], err
}
