// Gives a page its Profiler.
import { defineProperty } from "../core/text";
import { loadParts } from "../recording/parts";
import { tape } from "../recording/sampler";
import type { PageOptions } from "../recording/sessions";
import { Profiler } from "./profiler";

export interface InstallOptions extends PageOptions {
  /** If the browser has a Profiler of its own: native takes it if the document may use it, polyfill always takes ours. */
  prefer?: "native" | "polyfill";
}

type Constructor = typeof Profiler;

const native = (globalThis as { Profiler?: Constructor }).Profiler;

/** Defines a global as WebIDL defines an interface: not enumerable, and replaceable. */
function define(name: string, value: unknown): void {
  defineProperty(globalThis, name, { __proto__: null, value, configurable: true, writable: true } as PropertyDescriptor);
}

/**
 * The browser's Profiler until it refuses for lack of a Document-Policy, or of support for one
 * in workers, then ours.
 * Asking it before the page does would log an error in the console of every page.
 */
function untilRefused(native: Constructor): Constructor {
  return new Proxy(native, {
    __proto__: null, // a page may have given all objects what would be a trap
    construct(target, options: [never], newTarget) {
      try {
        return Reflect.construct(target, options, newTarget);
      } catch (error) {
        if ((error as Error).name[0] !== "N") throw error;
        define("Profiler", Profiler);
        return new Profiler(...options);
      }
    },
  } as ProxyHandler<Constructor>);
}

/** Defines Profiler as the options say. A frozen global object is left alone. */
export function install(options: InstallOptions = {}): void {
  Object.assign(tape.options, options);
  define("Profiler", native && options.prefer !== "polyfill" ? untilRefused(native) : Profiler);
}

/**
 * Called by runtime.js and module.js when they are loaded. Configure, in package
 * runtime, replaces the string by the deployer's options.
 */
export function atLoad(): void {
  const { fieldprof } = globalThis as { fieldprof?: { install?: unknown } };
  if (fieldprof?.install) return; // a second copy
  install("fieldprof options" as InstallOptions);
  if (!fieldprof) define("fieldprof", { install, Profiler, native, loadParts });
}
