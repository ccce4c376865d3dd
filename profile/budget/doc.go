// Package budget holds profiles to limits that a project sets itself: how much of
// the time, or how many milliseconds, parts of it may take.
//
// # File
//
// Budgets are in a YAML file:
//
//	features:                        # parts of a program, by name
//	  checkout: [src/checkout/**, src/cart/**]
//	budgets:
//	  - name: parsing                # for the report; else what it is of
//	    sources: src/parser/**       # a glob or a list: files, as sources name them
//	    max: 25%                     # of the busy time
//	  - feature: checkout
//	    measure: total               # self (default) or total
//	    max: 120ms                   # of each profile
//	  - functions: [format*, "(garbage collector)"]
//	    max: 5%
//
// A budget names its part by exactly one of sources, functions and feature. Globs
// of sources follow package pathglob; globs of functions match whole names,
// in which * matches anything. Self is the time in which a function of the
// part was running, total the time in which one was on the stack, once a sample.
//
// Shares are of the busy time: idle and lost ticks do not count, for how long a
// program waits is not its code's doing. Several profiles are held to budgets
// together: a share is of all their busy time, and milliseconds are the mean of
// a profile. What is measured comes with a margin, half the width of its 95 %
// interval by the number of samples; a budget breaks when the measured value is
// above it, margin or not.
//
// Anything else in the file is an error with its line and column.
package budget
