// Package budget compares profiles with limits that a project sets itself: how much of
// the time, or how many milliseconds, parts of it may take.
//
// # File
//
// Budgets are in a YAML file:
//
//	features:                        # parts of a program, by name
//	  checkout: [src/checkout/**, src/cart/**]
//	budgets:
//	  - name: parsing                # for the report; by default its part
//	    sources: src/parser/**       # a glob or a list: files, as sources name them
//	    max: 25%                     # of the busy time
//	  - feature: checkout
//	    measure: total               # self (default) or total
//	    max: 120ms                   # of each profile
//	  - functions: [format*, "(garbage collector)"]
//	    max: 5%
//
// A budget names its part by exactly one of sources, functions and feature. Globs
// of sources follow package pathglob; globs of functions match whole names, in
// which * matches anything. Self is the time in which a function of the part was
// running, total the time in which one was on the stack, once per sample.
//
// Shares are of the busy time: idle and lost ticks do not count, because code does not
// control how long a program waits. Several profiles are checked together: a share is
// of all their busy time, and milliseconds are the mean of a profile. Each measurement
// has a margin, half the width of its 95 % interval given the number of samples; a
// budget breaks if the measured value is above it, whatever the margin.
//
// Anything else in the file is an error with its line and column.
package budget
