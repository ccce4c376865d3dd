// Package view answers questions about a profile: which functions the time went
// to (Flat), through which calls (NewTree), what has changed between two profiles
// (Diff), and how far the numbers can be trusted.
//
// Views take attributed profiles: the time of a sample belongs to the frame on
// top of its stack (see profile.Attribute). A part of a profile, by time or by
// functions, is itself a profile: profile.Between, profile.Focus and profile.Fold
// make them. Names and files come from the profiled programs, which may be
// hostile: everything written for a terminal goes through Printable first.
//
// # Self and total
//
// Self is the ticks with a function on top of the stack, total those with it
// anywhere, once per sample however often it occurs there. Self times add up to the
// whole; total times do not, because they include the time of callees.
//
// # Is a change more than chance?
//
// Ticks fall at random, so two recordings of one program differ. Diff compares
// functions' shares of the busy ticks, which do not depend on the length of either
// recording, by the likelihood ratio of two binomials. It widens the distribution by
// two effects that a binomial does not model:
//
//   - Ticks that came together. A sample of weight w is one event that counts w
//     times, so a sum of ticks has the variance Σw², not Σw (unless Meta.Summed says that
//     the ticks came one by one).
//   - Runs that differ. Caches, collectors and neighbours change what a function
//     takes from run to run, and more samples do not help: DiffOptions.Noise is
//     the standard deviation of that, relative to the function's own time.
//
// Many functions are compared at once, and one in fifty would stand out by chance
// alone. So p-values are adjusted after Benjamini and Hochberg: of comparisons of
// like with like, a share of at most Level shows anything. The weight of a function in
// this is its share of the time (Genovese, Roeder and Wasserman, 2006), so hundreds of
// small ones do not hide the one that counts. If a function calls no other, self and
// total are one question.
//
// # What cannot be seen
//
// The resolution of a share is limited: of two recordings of n samples each, a function
// with the share p whose time grows by d stands out by about d·√(n·p·(1−p)/2)
// standard errors. To be found it needs as many as its place among the others requires,
// usually 2.5 to 3, and 1.3 more to be found in 9 of 10 cases: 10 % more of a function
// with 40 % of the time is 1.9 at 3,000 samples, and takes 13,000. No clock improves
// that while functions take turns faster than it ticks; then each sample is an
// independent draw. Shift.Least says for each function what a comparison was able to see.
//
// The times of runs that did the same work on a quiet machine say more
// (DiffOptions.SameWork): d·√(n·p/(1−p)/2), because the whole time is known exactly.
//
// Several runs a side (DiffRuns) add up their samples, and the noise is measured: by
// how much more each function's share, or time, differs between runs of a side than
// their samples explain (DerSimonian and Laird, 1986, over all functions). A change is
// then compared with Student's t with as many degrees of freedom as the measured part of
// its variance has (Satterthwaite). So a machine that was busy in some runs does not
// count as a change, by time either; it only makes small changes invisible.
//
// With DiffOptions.Blocks, runs are blocks of time in which many sessions were recorded. The
// difference between them is measured for each function, as a factor of the binomial
// variance: ticks of one session have more in common in a function that few sessions use.
package view
