// Asks for function tables while a profile runs, as soon as samples show which scripts do,
// so that the trace of a short visit has names.
import { byCheck } from "../core/kinds";
import { later } from "../core/timers";
import { tape } from "../recording/sampler";
import type { Entry } from "../recording/sessions";
import { KeptSet } from "../stacks/kept";
import type { Capture, Stack } from "../stacks/stack";
import { Origins } from "./origins";
import { ask, modeOf } from "./tables";

/** The most scripts that are looked at. */
const most = 1000;

/** Scripts that were met. The script in which a sample was taken has checks. */
const met = new KeptSet<string>();
const checked = new KeptSet<string>();

/** Scripts whose tables are asked for in one of our own tasks: this one is a function of the page, in the middle of its work. */
let waiting: { url: string; checked: boolean }[] = [];

/** From now on. */
export function askEarly() {
  tape.look ||= look;
}

function look({ capture, kind, sessions }: Entry) {
  let early = false;
  for (const { settings } of sessions) early ||= settings.tables !== "late";
  if (!early || modeOf() !== "early") return;
  const stack = (capture as Capture<Stack> | null)?.stack;
  if (!stack) return;
  if (byCheck(kind)) meet(stack.frame.url, checked);
  for (let at: Stack | null = stack; at && !at.met; at = at.parent) {
    at.met = true;
    meet(at.frame.url, met);
  }
}

function meet(url: string, among: Set<string>) {
  if (among.has(url) || among.size >= most) return;
  among.add(url);
  waiting[waiting.length] = { url, checked: among === checked };
  if (waiting.length === 1) later(askForThem);
}

function askForThem() {
  const scripts = waiting;
  waiting = [];
  try {
    const origins = new Origins();
    for (const { url, checked } of scripts) if (origins.asks(url, checked)) ask(url);
  } catch {
    // The trace will say what is missing.
  }
}
