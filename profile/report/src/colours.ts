// Colours of boxes: by file, so that what belongs together looks alike; in a
// comparison by what became of a function.
import { COLLECTOR, IDLE, LOST, NATIVE, PROGRAM } from "./columns";
import type { Func } from "./profile";
import type { Store } from "./store";

export interface Theme {
  dark: boolean;
  paper: string;
  ink: string;
  faint: string;
}

export function themeNow(): Theme {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  return dark ? { dark, paper: "#16181d", ink: "#e8e8ea", faint: "#3a3e48" } : { dark, paper: "#ffffff", ink: "#1b1d22", faint: "#d8dade" };
}

const greys: Record<number, [string, string]> = {
  [IDLE]: ["#e9eaec", "#2a2d34"],
  [COLLECTOR]: ["#d9b8e8", "#5d3a70"],
  [NATIVE]: ["#c9ced8", "#454b57"],
  [PROGRAM]: ["#d5d0c4", "#4a463c"],
  [LOST]: ["#f0c0c0", "#6b3030"],
};

/** A number from a text, the same each time. */
function sum(text: string): number {
  let hash = 2166136261;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  return hash >>> 0;
}

const byFile = (fn: Func, dark: boolean): string => {
  const hue = sum(fn.file) % 360;
  const shade = sum(fn.name) % 9;
  return dark ? `hsl(${hue} 38% ${30 + shade}%)` : `hsl(${hue} 62% ${72 + shade}%)`;
};

/** Red for more, blue for less; full at ten points. */
const byChange = (points: number, dark: boolean): string => {
  const strength = Math.min(1, Math.abs(points) / 0.1);
  const light = dark ? 24 + 22 * strength : 94 - 30 * strength;
  return `hsl(${points >= 0 ? 6 : 212} ${Math.round(75 * strength)}% ${light}%)`;
};

/** The colour of each function, for the stretch that is looked at. */
export function colours({ profile, change, weights }: Store, { dark }: Theme): string[] {
  return profile.functions.map((fn, i) => {
    const grey = greys[fn.kind];
    if (change && weights.all > 0) return byChange(weights.totalOf[i] / weights.all - change.totalBefore(fn), dark);
    return grey ? grey[dark ? 1 : 0] : byFile(fn, dark);
  });
}
