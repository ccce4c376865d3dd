// Package answer answers the questions that people ask of field profiles: where the time went,
// what was slow and why, what a release has changed. It adds up what a store has, finds the
// original names with the maps of each release, and accounts for sampling rates.
//
// # Estimates
//
// Every figure is about all sessions, including those that were not profiled: the figures of a chunk count
// 1/rate times. Chunks of different rates and intervals add up by the time that their ticks
// represent; Result.Scale says how many ticks of all sessions a tick of the profile represents. Where
// significance depends on the number of ticks (Diff, Trend, Budgets), it is the effective number: that of
// equally weighted ticks that would tell as much (Kish).
//
// # Intervals
//
// Intervals are of 95 %: of a hundred of them, some ninety-five hold the value that would have been
// found had all sessions been profiled. They are about sampling, not about what tomorrow brings.
//
//   - A quantile over views (p75 of INP): the order statistics on both sides of it, from the
//     binomial distribution of the number of views below it. Views count as independent.
//   - A ratio (busy time per view, share of slow interactions, busy share of the observed time): the range of
//     time is divided into up to twelve blocks, and the variance of the ratio follows from how much blocks
//     differ (the ratio estimator of cluster sampling), with Student's t. So it includes whatever the ticks
//     of a session, or the sessions of an hour, have in common. Hours that differ by nature make it
//     wider than necessary. With fewer than three blocks the interval is unknown.
//   - A function's share in a step of a trend: the binomial's, widened by how much neighbouring steps
//     differ more than a binomial explains.
//   - The changes of a Diff: see package view; the blocks of time are the runs.
package answer
