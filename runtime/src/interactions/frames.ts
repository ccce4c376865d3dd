// Long Animation Frames, with what the browser says of their scripts, styles and layouts.
import { now } from "./guard";
import { cleanURL } from "../trace/clean";
import { observeEntries, type Rate, type Source } from "./entries";
import { plain, tidy, type See } from "./found";

interface Script extends PerformanceEntry {
  invoker: string;
  sourceURL: string;
  sourceFunctionName: string;
  executionStart: number;
  forcedStyleAndLayoutDuration: number;
}

interface Frame extends PerformanceEntry {
  blockingDuration: number;
  renderStart: number;
  styleAndLayoutStart: number;
  scripts: readonly Script[];
}

/** Scripts of a frame that become notes, the longest. */
const most = 10;

export function followFrames(rate: Rate, see: See): Source[] {
  const source = observeEntries<Frame>("long-animation-frame", (frame) => {
    if (!rate.admits(now())) return;
    const { startTime: time, duration, blockingDuration, styleAndLayoutStart: styled, scripts } = frame;
    const forced = scripts.reduce((sum, script) => sum + (script.forcedStyleAndLayoutDuration || 0), 0);
    see(tidy({ what: "long-frame", name: "frame", time, duration, detail: `blocked ${ms(blockingDuration)}${forcedText(forced)}` }));
    if (styled > 0) see(tidy({ what: "note", name: "style and layout", time: styled, duration: Math.max(0, time + duration - styled) }));
    for (const script of [...scripts].sort((a, b) => b.duration - a.duration).slice(0, most)) see(note(script));
  });
  return source ? [source] : [];
}

function note({ invoker, sourceURL, sourceFunctionName, startTime, duration, forcedStyleAndLayoutDuration }: Script) {
  const where = [plain(sourceFunctionName ?? "", 100), sourceURL && `(${cleanURL(plain(sourceURL))})`].filter(Boolean).join(" ");
  return tidy({ what: "note", name: plain(invoker || "script", 100), detail: where + forcedText(forcedStyleAndLayoutDuration), time: startTime, duration });
}

function forcedText(milliseconds: number): string {
  return milliseconds > 0 ? `; forced style and layout ${ms(milliseconds)}` : "";
}

function ms(milliseconds: number): string {
  return `${Math.round(milliseconds)} ms`;
}
