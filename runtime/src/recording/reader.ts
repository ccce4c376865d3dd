// The reader moves what the sampler puts on the tape to the recordings, at once, and looks
// after the clock while anything records: it starts the coordinator, pauses with the page,
// and notices when a worker has died.
import { Coordinator } from "../clock/coordinator";
import { makeDebts } from "../clock/debts";
import { makePace } from "../clock/pace";
import { Shared } from "../clock/shared";
import { longestGap } from "../clock/deadlines";
import { builtin } from "../core/builtin";
import { checks } from "../core/flag";
import { now } from "../core/real";
import { idly } from "../core/timers";
import { format, readings as own } from "../stacks/format";
import { KeptArray } from "../stacks/kept";
import type { Capture, Stack } from "../stacks/stack";
import { forget, keep } from "./forgetting";
import { Recording } from "./recording";
import { newError, tape } from "./sampler";
import type { Entry, Session, Settings } from "./sessions";
import { Valve } from "./valve";

/** Between looks at the clock, in milliseconds. */
const watchEvery = 500;
/** How long reading may block the page at a time, in milliseconds. */
const slice = 4;

/** How many frames are captured of a stack whose innermost is asked for: some may be the engine's. */
const someDepth = 4;

const requestIdleCallback = builtin("requestIdleCallback");
/** The document of jsdom, in which tests of pages run in Node, says forever that it is hidden. */
const document = String(builtin("navigator")?.userAgent).includes(" jsdom/") ? undefined : builtin("document");

const poll = tape.source;
let shared: Shared | undefined; // once the coordinator's worker runs
let coordinator: Coordinator | undefined;
let broken = ""; // why there is no coordinator
let attending = false;
let delivering = false;
let silent = 0; // how long the coordinator raised nothing, in milliseconds

/** Starts a recording of this realm. It never throws; its notes say what is unavailable. */
export function record(settings: Settings): Recording {
  const recording = recordingOf(tape.begin({ tables: "late", ...settings }));
  attend();
  return recording;
}

/** There may be several copies of this file (trace.js, live.js, mozilla.js): the first one reads the tape for all. */
const first = (tape.reader ||= { attend: attendHere, recordingOf: recordingHere, readings: own });

/** How stacks of the tape were read so far. */
export const readings = first.readings as typeof own;

/** The recording of a session. */
export function recordingOf(session: Session): Recording {
  return first.recordingOf(session) as Recording;
}

function recordingHere(session: Session): Recording {
  return (session.recording ||= new Recording(session, tapeOf)) as Recording;
}

/** The tape as recordings know it. */
const tapeOf = {
  end: (session: Session) => tape.end(session),
  read() {
    tape.source.settle();
    read();
  },
};

const valve = new Valve(tape, (session, why) => recordingOf(session).notes.add(why));

/** Takes entries off the tape until it is empty or `enough` returns true. */
function read(enough?: () => boolean) {
  if (delivering) return; // an entry that ends a session adds another
  delivering = true;
  try {
    valve.time(() => readEntries(enough));
  } finally {
    delivering = false;
  }
}

function readEntries(enough?: () => boolean) {
  const { entries } = tape;
  const captures: (Capture<Stack> | null)[] = [];
  let lines = false;
  for (const { capture, sessions } of entries) {
    captures[captures.length] = capture as Capture<Stack> | null;
    for (const { settings } of sessions) lines ||= !!settings.lines;
  }
  format(captures, lines, enough);
  while (entries[0] && !entries[0].capture?.error) deliver(entries.shift()!);
}

function deliver(entry: Entry) {
  tape.look?.(entry);
  for (const session of entry.sessions) {
    const recording = recordingOf(session);
    if (coordinator && tape.source !== poll) recording.late = coordinator.board.lates();
    recording.take(entry);
  }
  valve.see(entry);
}

function note(text: string) {
  for (const session of tape.sessions) recordingOf(session).notes.add(text);
}

/** Looks after the clock from now on until nothing records. */
export function attend() {
  try {
    first.attend();
  } catch {
    // The page has replaced timers or listeners: the tape is read when a trace is made.
  }
}

function attendHere() {
  choose();
  tell();
  tape.pace ||= makePace((tape.cost ??= costOfChecks()), makeDebts(callerOf));
  checks.early = tape.pace.early;
  valve.attend();
  tryToFollow();
  if (attending) return;
  attending = true;
  keep();
  tape.entries = KeptArray.from(tape.entries);
  tape.read = readSlice; // from now on called for each entry, in the middle of the page's work
  silent = 0;
  watch();
  readSome();
}

/**
 * The cost of a check that does not look: a thirtieth of reading the clock in code that
 * is not yet compiled. 0 if the clock is too coarse to tell, as in pages.
 */
function costOfChecks(): number {
  const gaps: number[] = [];
  for (let i = 0, before = now(); i < 400; i++) {
    const time = now();
    if (i >= 200) gaps.push(time - before);
    before = time;
  }
  return gaps.includes(0) ? 0 : gaps.sort((a, b) => a - b)[100] / 30;
}

/** The frame that is so many calls out from our caller. */
function callerOf(hidden: number): object | undefined {
  const capture: Capture<Stack> = { error: newError(hidden + 2 + someDepth), hidden: hidden + 2, stack: null };
  format([capture], false);
  return capture.stack?.frame;
}

function readSlice() {
  const began = now();
  read(() => now() - began > slice);
}

/** Reads what has waited for this file, a slice at a time. */
function readSome() {
  readSlice();
  if (!attending || !tape.entries.length) return;
  if (requestIdleCallback) requestIdleCallback(readSome, { timeout: 1000 });
  else idly(readSome, 100);
}

/** A hidden page is not sampled. Called now and then, since document.open() forgets all listeners. */
function follow() {
  document?.addEventListener("visibilitychange", follow);
  tape.paused = !!document && document.hidden;
  if (tape.paused) note("samples: none are taken while the page is hidden");
  tape.update();
}

function tryToFollow() {
  try {
    follow();
  } catch {
    // The page has replaced listeners.
  }
}

function watch() {
  if (!tape.sessions.length) return leave();
  tryToFollow();
  tape.source.settle();
  silent = tape.source === poll || !tape.interval || coordinator!.moved() ? 0 : silent + watchEvery;
  if (silent > watchEvery + longestGap * tape.interval) lose("the coordinator's worker fell silent");
  idly(watch, watchEvery);
}

/** Stops everything: nothing records any more. */
function leave() {
  attending = false;
  document?.removeEventListener("visibilitychange", follow);
  use(poll);
  coordinator?.end();
  coordinator = shared = undefined;
  const { c } = checks.flag.c;
  checks.flag.c = new (class {
    c = c;
  })(); // engines have seen no check call this one
  forget();
}

// --- the clock ---------------------------------------------------------------

/** Takes ticks from shared memory if it is available and neither the page nor a session wants otherwise. */
function choose() {
  const polls = tape.options.clock === "poll" || tape.sessions.some((s) => s.settings.clock === "poll");
  if (!polls && !coordinator) hire();
  use((!polls && shared) || poll);
}

function use(source: typeof poll) {
  if (tape.source === source) return;
  tape.source.settle();
  tape.source.run(0);
  tape.source = source;
  source.run(tape.interval);
  tell();
}

/** Tells recordings where their ticks now come from. */
function tell() {
  for (const session of tape.sessions) recordingOf(session).clock = tape.source === poll ? "poll" : "shared";
}

function hire() {
  const { flag } = checks;
  const { SharedArrayBuffer } = globalThis;
  if (!broken && !(SharedArrayBuffer && flag.buffer instanceof SharedArrayBuffer)) broken = "no memory can be shared here";
  // About one such start in a hundred hangs there, and the thread with it.
  if (!document && "InternalError" in globalThis) broken = "in Firefox it is not safe to start a worker in a worker";
  if (broken) return note(`clock: ${broken}, so checks poll it`);
  const hired = (coordinator = new Coordinator(flag, tape.sessions[0]?.settings.seed ?? 0, {
    ready() {
      shared = new Shared(tape, hired);
      choose();
    },
    ping: () => tape.source === shared && shared?.settle(),
    failed: lose,
  }));
  hired.start();
}

/** Goes on without a worker. */
function lose(why: string) {
  broken = why;
  note(`clock: ${broken}, so checks poll it`);
  use(poll);
  coordinator?.end();
  coordinator = shared = undefined;
}
