// Gives a page its Profiler.
import { defineProperty } from "../core/text";
import { loadParts } from "../recording/parts";
import type { Settings } from "../recording/sessions";
import { defaults, Profiler } from "./profiler";

export interface InstallOptions {
  /** Where the browser has a Profiler of its own: that one, if the document may use it, or ours always. */
  prefer?: "native" | "polyfill";
  /** Milliseconds: sample intervals are multiples of it. Chromium's is 10. */
  base?: number;
  clock?: Settings["clock"];
}

type Constructor = typeof Profiler;

const native = (globalThis as { Profiler?: Constructor }).Profiler;

/** As WebIDL defines an interface: hidden, and anyone may replace it. */
function define(name: string, value: unknown): void {
  defineProperty(globalThis, name, { value, writable: true, configurable: true });
}

/**
 * The browser's Profiler until it refuses for want of a Document-Policy; ours
 * from then on. To ask it before the page does would show as an error in the
 * console of every page.
 */
function untilRefused(native: Constructor): Constructor {
  return new Proxy(native, {
    construct(target, options: [never], newTarget) {
      try {
        return Reflect.construct(target, options, newTarget);
      } catch (error) {
        if ((error as Error).name !== "NotAllowedError") throw error;
        define("Profiler", Profiler);
        return new Profiler(...options);
      }
    },
  });
}

/** Makes Profiler what the options ask for. A global object that takes none is left alone. */
export function install({ prefer, base, clock }: InstallOptions = {}): void {
  if (base! > 0) defaults.base = base!;
  if (clock) defaults.clock = clock;
  define("Profiler", native && prefer !== "polyfill" ? untilRefused(native) : Profiler);
}

/**
 * What runtime.js and module.js do when they are loaded. Package runtime
 * (Configure) writes what the deployer chose in place of the string.
 */
export function atLoad(): void {
  const { fieldprof } = globalThis as { fieldprof?: { install?: unknown } };
  if (fieldprof?.install) return; // a second copy
  install("fieldprof options" as InstallOptions);
  if (!fieldprof) define("fieldprof", { install, Profiler, loadParts });
}
