package browser

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Name names a browser.
type Name string

// The browsers.
const (
	Chromium Name = "chromium"
	Firefox  Name = "firefox"
	WebKit   Name = "webkit"
)

// Is reports whether an engine of this name is a browser.
func Is(engine string) bool {
	_, is := browsers[Name(engine)]
	return is
}

// Only reports whether there are engines, and all of them are browsers.
func Only(engines []string) bool {
	return len(engines) > 0 && !slices.ContainsFunc(engines, func(name string) bool { return !Is(name) })
}

// program is an executable that a browser needs, and where it may be: names on the PATH
// or patterns of paths.
type program struct {
	places  []string
	install string // what to install for it
}

// browser says how a browser is started.
type browser struct {
	program program
	screen  bool // it has no headless mode, and needs a screen (Xvfb)
	// prepare fills a fresh folder with a profile, and returns the browser's arguments
	// and environment. Pages have the finest clock available, or the one of most sites.
	prepare func(folder, url string, finest bool) (args, env []string, err error)
}

var browsers = map[Name]browser{
	Chromium: {
		program: program{
			places: []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
				"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"},
			install: "Chromium or Chrome (on Debian: apt-get install chromium)",
		},
		prepare: prepareChromium,
	},
	Firefox: {
		program: program{
			places:  []string{"firefox", "firefox-esr", "/Applications/Firefox.app/Contents/MacOS/firefox"},
			install: "Firefox (on Debian: apt-get install firefox-esr)",
		},
		prepare: prepareFirefox,
	},
	WebKit: {
		program: program{
			places:  []string{"/usr/lib/*/webkit2gtk-4.*/MiniBrowser", "/usr/libexec/webkit2gtk-4.*/MiniBrowser", "MiniBrowser"},
			install: "WebKitGTK's MiniBrowser (on Debian: apt-get install webkit2gtk-driver xvfb)",
		},
		screen:  true,
		prepare: prepareWebKit,
	},
}

var xvfb = program{places: []string{"Xvfb"}, install: "Xvfb, the screen for WebKitGTK (on Debian: apt-get install xvfb)"}

// MissingError says that a browser is not installed.
type MissingError struct {
	Browser Name
	Install string // what to install
}

// Error says what to install.
func (e *MissingError) Error() string {
	return fmt.Sprintf("%s is not installed: install %s", e.Browser, e.Install)
}

func (p *program) find(browser Name) (string, error) {
	for _, place := range p.places {
		if filepath.IsAbs(place) {
			if paths, _ := filepath.Glob(place); len(paths) > 0 {
				return paths[len(paths)-1], nil // the newest
			}
		} else if path, err := exec.LookPath(place); err == nil {
			return path, nil
		}
	}
	return "", &MissingError{browser, p.install}
}

// prepareChromium needs the flags about background work: without them a page that is not
// visible is throttled, and a busy one is considered hung. The disabled
// features are popups of the address bar: Chromium opens them with each window as pages of its
// own, which take several times the processor time of the window and are never shown.
func prepareChromium(folder, url string, _ bool) (args, env []string, err error) {
	args = []string{
		"--headless=new", "--user-data-dir=" + folder, "--no-first-run", "--no-default-browser-check",
		"--disable-gpu", "--disable-dev-shm-usage", "--disable-extensions", "--disable-sync", "--disable-breakpad",
		"--disable-background-networking", "--disable-component-update", "--disable-default-apps", "--metrics-recording-only",
		"--disable-background-timer-throttling", "--disable-renderer-backgrounding", "--disable-backgrounding-occluded-windows",
		"--disable-hang-monitor", "--mute-audio", "--password-store=basic", "--use-mock-keychain",
		"--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup",
	}
	if os.Geteuid() == 0 {
		args = append(args, "--no-sandbox") // root cannot use it
	}
	return append(args, url), nil, nil
}

// firefoxPrefs keep a fresh profile quiet: no start pages, no updates, no telemetry, and
// no dialog about a busy script.
var firefoxPrefs = []string{
	`"browser.shell.checkDefaultBrowser", false`,
	`"browser.aboutwelcome.enabled", false`,
	`"browser.startup.homepage_override.mstone", "ignore"`,
	`"browser.startup.page", 0`,
	`"browser.newtabpage.enabled", false`,
	`"browser.tabs.warnOnClose", false`,
	`"browser.sessionstore.resume_from_crash", false`,
	`"browser.safebrowsing.malware.enabled", false`,
	`"browser.safebrowsing.phishing.enabled", false`,
	`"browser.safebrowsing.downloads.remote.enabled", false`,
	`"browser.search.update", false`,
	`"browser.region.network.url", ""`,
	`"app.update.enabled", false`,
	`"app.update.auto", false`,
	`"app.normandy.enabled", false`,
	`"app.shield.optoutstudies.enabled", false`,
	`"extensions.update.enabled", false`,
	`"extensions.getAddons.cache.enabled", false`,
	`"extensions.blocklist.enabled", false`,
	`"datareporting.policy.dataSubmissionEnabled", false`,
	`"datareporting.policy.firstRunURL", ""`,
	`"datareporting.healthreport.uploadEnabled", false`,
	`"toolkit.telemetry.enabled", false`,
	`"toolkit.telemetry.server", ""`,
	`"termsofuse.acceptedVersion", 999`,
	`"network.captive-portal-service.enabled", false`,
	`"network.connectivity-service.enabled", false`,
	`"network.dns.disablePrefetch", true`,
	`"network.prefetch-next", false`,
	`"services.settings.server", "data:,"`,
	`"dom.max_script_run_time", 0`,
	`"dom.max_chrome_script_run_time", 0`,
	`"dom.ipc.processPrelaunch.enabled", false`,
	`"network.http.response.timeout", 0`, // the host answers at the end
	`"dom.min_background_timeout_value", 4`,
}

func prepareFirefox(folder, url string, finest bool) (args, env []string, err error) {
	var prefs strings.Builder
	for _, pref := range firefoxPrefs {
		fmt.Fprintf(&prefs, "user_pref(%s);\n", pref)
	}
	fmt.Fprintf(&prefs, "user_pref(\"privacy.reduceTimerPrecision\", %t);\n", !finest)
	if err := os.WriteFile(filepath.Join(folder, "user.js"), []byte(prefs.String()), 0o600); err != nil {
		return nil, nil, err
	}
	return []string{"--headless", "--no-remote", "--new-instance", "--profile", folder, url},
		[]string{"MOZ_CRASHREPORTER_DISABLE=1", "MOZ_DISABLE_AUTO_SAFE_MODE=1"}, nil
}

// prepareWebKit confines MiniBrowser to its folder, and keeps it off the session bus,
// which its screen does not have.
func prepareWebKit(folder, url string, _ bool) (args, env []string, err error) {
	env = []string{"XDG_DATA_HOME=" + folder, "XDG_CACHE_HOME=" + folder, "XDG_CONFIG_HOME=" + folder,
		"DBUS_SESSION_BUS_ADDRESS=disabled:", "GSETTINGS_BACKEND=memory", "NO_AT_BRIDGE=1", "GDK_BACKEND=x11", "GIO_USE_VFS=local"}
	if os.Geteuid() == 0 {
		env = append(env, "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS=1") // root cannot use it
	}
	return []string{"--private", url}, env, nil
}
