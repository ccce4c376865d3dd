package targets

// Section is a group of targets, and what is to be said about those that are not reached.
type Section struct {
	Title   string
	Defined string // the page that defines the figures, below docs
	Targets []Target
	Notes   []string
}

// Sections are all targets.
var Sections = []Section{costs, pages, size, accuracy, servers, instrument}

func overhead(what string, bound float64, column string) Target {
	return preset(what, bound, "balanced", "libraries", column)
}

func preset(what string, bound float64, name, group, column string) Target {
	return Target{what, bound, false, " %", "overhead", []string{"engines", "node", name, "means", group, column, "these", "main"}}
}

func firefox(what string, bound float64, preset string) Target {
	return Target{what, bound, false, " %", "overhead-browsers", []string{"engines", "firefox", preset, "means", "libraries", "idle", "these", "wall"}}
}

func trained(what string, bound float64, group, column string) Target {
	return Target{what, bound, false, " %", "overhead-trained", []string{"engines", "node", "precise within 2 %", "means", group, column, "these", "main"}}
}

var costs = Section{
	Title:   "What checks and recordings cost",
	Defined: "overhead.md",
	Targets: []Target{
		overhead("Node, libraries, balanced: idle", 2, "idle"),
		preset("the same, tiny calls", 5, "balanced", "tiny calls", "idle"),
		preset("Node, libraries, fine: idle", 5, "fine", "libraries", "idle"),
		preset("the same, tiny calls", 15, "fine", "tiny calls", "idle"),
		preset("Node, libraries, precise: idle", 8, "precise", "libraries", "idle"),
		preset("the same, tiny calls", 30, "precise", "tiny calls", "idle"),
		firefox("Firefox, libraries, balanced: idle", 3, "balanced"),
		firefox("the same, precise", 25, "precise"),
		overhead("Node, libraries, balanced, recording each 10 ms by shared memory, settled", 7, "sharedSettled"),
		overhead("the same by polling", 9, "pollSettled"),
		overhead("the same after its end, settled", 2, "sharedEnded"),
		trained("Node, builds for 2 %, an input unlike the training's: idle", 2, "an input unlike the training's", "idle"),
		trained("the same, recording, settled", 5, "an input unlike the training's", "sharedSettled"),
		trained("Node, builds for 2 %, the training's input: idle", 2, "the training's input", "idle"),
		trained("the same, recording, settled", 5, "the training's input", "sharedSettled"),
	},
	Notes: []string{
		"*Polling*: without shared memory a check has to find out by itself that a tick is due. It counts down, in a call, and reads the clock " +
			"when it gets near a deadline. Stacks that are read at once, and readings 10 µs apart, brought it from 44.8 to 17 %; " +
			"one reading each 40 µs for all sites, to what it is. A reading takes some 0.2 µs between other work; counting alone, without a reading or a sample, 3 points. " +
			"Counting in the check itself is dearer: each check then writes to memory, and is longer.",
		"*After the end*: a check that was never taken is a branch that V8 leaves out of the code. Once taken, it is part of each later compilation. " +
			"A recording's end gives the flag's function another hidden class, so that V8 compiles once more what depended on it, without the branch. " +
			"That takes some three seconds, in which the program is slower; settled is after it. What V8 knows of the branch goes when it collects, which it hardly " +
			"ever does to a program whose objects all die young: six seconds after the end, *tiny calls* were as slow as while they were recorded (precise 85 %, " +
			"idle 35). So the runtime makes V8 collect then.",
		"*Builds for an overhead*: the price of a check is assumed, and the same for all programs (3 ns); measured in twenty, it is 0.2 to 9 ns. " +
			"Where it is more, the build costs more than was asked.",
	},
}

func visit(what string, bound float64, network, measure, build string) Target {
	return Target{what, bound, false, " %", "page", []string{"together", "chromium", network, "measures", measure, build}}
}

var pages = Section{
	Title:   "What a visitor notices",
	Defined: "visits.md",
	Targets: []Target{
		visit("Chromium, slow network, idle: first contentful paint", 2, "slow", "fcp", "idle"),
		visit("the same, largest contentful paint", 2, "slow", "lcp", "idle"),
		visit("the same, DOMContentLoaded", 2, "slow", "dcl", "idle"),
		visit("the same, interaction to next paint", 3, "slow", "inp", "idle"),
		visit("Chromium, slow network, recording from the start: ready", 10, "slow", "ready", "recording"),
		visit("the same on a fast network", 10, "fast", "ready", "recording"),
	},
	Notes: []string{
		"*Recording from the start of a load*: V8 compiles functions lazily and without source positions, and parses one again when a position in it is first " +
			"asked for. fieldprof asks for none until stacks are read, but a page that starts is all first times. `maxRecording` ends a recording that " +
			"costs too much; [sending.md](sending.md) begins after the load.",
	},
}

var size = Section{
	Title:   "Bytes",
	Defined: "../bench/results/size.md",
	Targets: []Target{
		{"balanced, inline form, gzip", 2.3, false, " %", "size", []string{"geomeanPercent", "inline balanced", "gzip"}},
		{"balanced, compact form, gzip", 2.3, false, " %", "size", []string{"geomeanPercent", "compact balanced", "gzip"}},
	},
	Notes: []string{
		"*Inline*: functions that the event loop enters are checked whatever their size, since nothing above them tells their time; without them it was 2.6 %. " +
			"A check is 2.2 to 3 bytes after gzip. Other wordings, tried on eleven files, bring 0.1 to 0.2 points.",
	},
}

func overlap(what string, bound float64, engine, way string) Target {
	return Target{what, bound, true, "", "bias", []string{"engines", engine, "means", way, "overlaps", "promise", "overlap"}}
}

var accuracy = Section{
	Title:   "How right profiles are",
	Defined: "accuracy.md",
	Targets: []Target{
		overlap("Node, balanced: overlap with the truth, of what it tells apart", 92, "node", "balanced"),
		overlap("Node, fine", 89, "node", "fine"),
		overlap("Node, precise", 86, "node", "precise"),
		overlap("goja, balanced", 94, "goja", "balanced"),
		overlap("goja, fine", 92, "goja", "fine"),
		overlap("goja, precise", 89, "goja", "precise"),
		overlap("Firefox, balanced, polling", 86, "firefox", "balanced poll"),
		overlap("WebKit, balanced", 86, "webkit", "balanced"),
		{"exact programs in sobek, precise", 95, true, " %", "forks", []string{"means", "precise", "sobek"}},
	},
	Notes: []string{
		"Samplers of engines are references, not truths: the floor, which is the reference with itself, bounds what can be seen. *WebKit* has no sampler " +
			"that shows what is known ([accuracy.md](accuracy.md)), so its row says how far two profilers agree.",
		"A tick is missed where the clock's own thread gets no processor, and machines differ in how often that is. In goja, checks then read the clock " +
			"instead, all of them near a deadline. [agree.md](../bench/results/agree.md) compares this run with the one before.",
	},
}

func service(what string, bound float64, least bool, unit, name string, at ...string) Target {
	return Target{what, bound, least, unit, "services", append([]string{"services", name}, at...)}
}

func loadTest(name string) Target {
	return Target{"k6, 50 virtual users, *" + name + "*: processor time", 3, false, " %", "k6", []string{"rows", name, "cpuPercent"}}
}

var servers = Section{
	Title:   "Servers",
	Defined: "../bench/results/services.md",
	Targets: []Target{
		service("Express, recorded all day: processor time a request", 8, false, " %", "express", "cpu", "change"),
		service("the same, of Node's ten hottest functions in ours", 9, true, "", "express", "profiles", "shown"),
		service("the same, time that is (program)", 10, false, " %", "express", "profiles", "program", "ours"),
		service("Fastify: processor time a request", 8, false, " %", "fastify", "cpu", "change"),
		service("the same, of Node's ten hottest functions in ours", 9, true, "", "fastify", "profiles", "shown"),
		service("the same, time that is (program)", 10, false, " %", "fastify", "profiles", "program", "ours"),
		loadTest("shop"), loadTest("orders"), loadTest("signing"),
		{"goja, twenty tenants, balanced: the largest error of a share, by processor time", 1, false, " points", "tenants", []string{"presets", "balanced", "cpu", "largest"}},
		{"the same by samples", 1, false, " points", "tenants", []string{"presets", "balanced", "samples", "largest"}},
	},
	Notes: []string{
		"*Hottest functions*: those that are missing are one-line callbacks of array methods and a helper of esbuild's, whose time balanced gives to the " +
			"function around them; `precise` tells them apart.",
		"*(program)* is Node's own work, between requests and below its API: writing sockets, parsing HTTP, garbage. Node's own profiler calls more than " +
			"half of both services' time so.",
	},
}

func trial(what string, bound float64, least bool, engine, measure string) Target {
	return Target{what, bound, least, "", "overhead-aa", []string{"trial", "engines", engine, measure}}
}

var instrument = Section{
	Title:   "The bench itself",
	Defined: "overhead.md",
	Targets: []Target{
		trial("Node: of 100 experiments, those that find 2 % that were planted", 95, true, "node", "found"),
		trial("the same with nothing planted", 5, false, "node", "foundSame"),
		trial("goja: of 100 experiments, those that find 2 % that were planted", 95, true, "goja", "found"),
		trial("the same with nothing planted", 5, false, "goja", "foundSame"),
		{"two whole runs of bias: cells that agree", 95, true, " %", "agree", []string{"engines"}},
	},
	Notes: []string{
		"*Nothing planted*: what two equal builds differed by in these few processes is the same in all experiments, which draw from them; with the names of the " +
			"builds swapped in half of the experiments it goes to neither ([overhead.md](overhead.md) has both counts).",
		"*Two runs*: [agree.md](../bench/results/agree.md) has the cells that are furthest apart, and what else the runs differ in. Both are of " +
			"one machine, on two days; with the recording of another machine fewer cells agree. Most that are apart are WebKit's, whose checks " +
			"poll the clock: they do so in another way since the first run, which is better for `spin` and worse for `compute-sin`, `periodic` and small methods. " +
			"The interval takes cells for independent, which those of one program are not: it is rather wider.",
	},
}
