// Package answer answers the questions that people ask of field profiles: where the time went,
// what was slow and why, what a release has changed. It adds up what a store has, finds the
// original names with the maps of each release, and accounts for sampling rates.
//
// # Estimates
//
// Every figure is about all sessions, also those that were not profiled: what a chunk says counts
// 1/rate times. Chunks of different rates and intervals are added up by the time that their ticks stand
// for. The profile of a selection then has as many ticks as equally weighted ones would tell as much
// (Kish's effective sample size), and Result.Scale says how many ticks of all sessions each stands for.
//
// # Intervals
//
// Intervals are of 95 %: of a hundred such intervals, some ninety-five hold the value that would be
// found if all sessions had been profiled. They are about sampling, and not about what tomorrow brings.
//
//   - A quantile over views (p75 of INP): the order statistics between which it is, from the binomial
//     distribution of the number of views below it. Views count as independent.
//   - A ratio (busy time per view, share of slow interactions, busy share of the observed time): the range of
//     time is divided into up to twelve blocks, and the variance of the ratio follows from how much blocks
//     differ (the ratio estimator of cluster sampling), with Student's t. So whatever ticks of a
//     session, or sessions of an hour, have in common is in it. Hours that differ by nature make it
//     wider than it had to be. With fewer than three blocks the interval is unknown.
//   - A function's share in a step of a trend: the binomial's, widened by how much neighbouring steps
//     differ more than a binomial explains.
//   - The changes of a Diff: see package view; the blocks of time are the runs.
package answer
