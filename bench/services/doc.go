// Package services measures what it costs an HTTP service in Node to be recorded all day, and
// whether its profiles name what Node's own profiler names.
//
// A service is a program of fixtures/service, bundled as for a deployment. Three processes of it
// wait for requests: two are clean, and one has checks and records with FIELDPROF_MODE=continuous,
// 10 ms between ticks and a profile each minute. Each first answers as much as it can. Then they
// are under load by turns (measure.go), for a few seconds each and in an order that is drawn anew
// for each block. After a few blocks three others take their places. Requests come at random
// moments, half as many as one process can answer, so the comparison is of a service that has
// time to spare. The figures are the processor time of the whole process for a request, the threads
// that tick and that write profiles included, and the time from when a request was due to its
// answer. The second clean process against the first is the floor: the difference between equals.
//
// Then a fourth process, clean, bears the same load under node --cpu-prof (functions.go). Of its
// samples, those of Node's own code and of native code count for the function of the service that
// called it. Time without such a caller has no check on its stack either: a profile by checks can
// only call it (program).
//
// # Limits
//
// Intervals are about other processes: code lies elsewhere in each, which by itself makes one a
// percent or two faster. With five sets they are wide, and the floor's shows how wide.
// The requests come from the bench, which takes its time of the same processors.
package services
