// Colours of boxes, as pixels: by file, so that functions that belong together look alike;
// in a comparison by the change of the function.
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

/** A number derived from a text. */
function sum(text: string): number {
  let hash = 2166136261;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  return hash >>> 0;
}

/** A pixel of a picture, whose bytes are red, green, blue and how opaque it is. */
const pixelOf = (red: number, green: number, blue: number) => ((255 << 24) | (Math.round(blue) << 16) | (Math.round(green) << 8) | Math.round(red)) >>> 0;

/** Of a colour as #rrggbb. */
export function pixel(colour: string): number {
  const number = parseInt(colour.slice(1), 16);
  return pixelOf(number >> 16, (number >> 8) & 255, number & 255);
}

/** Of hue in degrees, saturation and lightness in percent. */
function fromHue(hue: number, saturation: number, lightness: number): number {
  const light = lightness / 100;
  const reach = (saturation / 100) * Math.min(light, 1 - light);
  const channel = (n: number) => {
    const k = (n + hue / 30) % 12;
    return 255 * (light - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  };
  return pixelOf(channel(0), channel(8), channel(4));
}

/** So much of one colour over another. */
export function blend(over: number, under: number, part: number): number {
  const channel = (shift: number) => part * ((over >> shift) & 255) + (1 - part) * ((under >> shift) & 255);
  return pixelOf(channel(0), channel(8), channel(16));
}

/** Light enough, or dark enough, for names to be read. */
const byFile = (fn: Func, dark: boolean): number => {
  const hue = sum(fn.file) % 360;
  const shade = sum(fn.name) % 9;
  return dark ? fromHue(hue, 38, 23 + 0.8 * shade) : fromHue(hue, 62, 72 + shade);
};

/** Red for more, blue for less; full at ten points. */
const byChange = (points: number, dark: boolean): number => {
  const strength = Math.min(1, Math.abs(points) / 0.1);
  const light = dark ? 24 + 14 * strength : 94 - 30 * strength;
  return fromHue(points >= 0 ? 6 : 212, Math.round(75 * strength), light);
};

/** The colour of each function, for the stretch in view. */
export function colours({ profile, change, weights }: Store, { dark }: Theme): Uint32Array {
  const before = change?.sharesOf(profile.functions).total;
  return Uint32Array.from(profile.functions, (fn, i) => {
    const grey = greys[fn.kind];
    if (before && weights.all > 0) return byChange(weights.totalOf[i] / weights.all - before[i], dark);
    return grey ? pixel(grey[dark ? 1 : 0]) : byFile(fn, dark);
  });
}
