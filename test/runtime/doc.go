// Package runtime tests in Chromium, Firefox and WebKit how the runtime reads stacks, which
// functions it finds, and which scripts its traces show; in Chromium against the browser's
// own Profiler.
package runtime
