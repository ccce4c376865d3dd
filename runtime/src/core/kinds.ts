// The numbers of check sites and of samples. Both are wire formats: inserted text
// passes the first to capture (transform/dialect.go), recordings hold the second. A
// test in package runtime compares them with functable and profile.Kind.

/** Sites of checks, and the kinds of the samples that they take. */
export const Entry = 0;
export const Loop = 1;
export const Exit = 2;

/** Added to Entry and Exit in a leaf, a function that calls nothing: only the polling clock tells leaves apart. */
export const Leaf = 3;

/** A site as capture gets it. */
export type Site = 0 | 1 | 2 | 3 | 5;
export const siteCount = 6;

/** Why a sample has no check: nothing ran; something ran, but no check did; the collector ran. */
export const Idle = 3;
export const Program = 4;
export const GC = 5;

export type SampleKind = 0 | 1 | 2 | 3 | 4 | 5;

/** Names of the sample kinds, as traces have them and as profile.Kind.String gives them. */
export const kindNames = ["entry", "loop", "exit", "idle", "program", "gc"];

/** Whether a check took a sample of this kind. */
export const byCheck = (kind: number) => kind <= Exit;
