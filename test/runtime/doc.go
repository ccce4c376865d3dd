// Package runtime tests in Chromium, Firefox and WebKit what the runtime makes
// of stacks: how it reads them, which functions it finds, and of which scripts
// its traces speak; in Chromium beside the browser's own Profiler.
package runtime
