// The checked options of a plugin, and what follows from them for all bundlers.
import type { Options } from "fieldprof";
import { divide, type PluginOptions } from "../../plugin/options";
import { isOption, messageOf } from "../../plugin/session";

export interface Settled {
  service: Options;
  both: boolean;
  profiledOutdir?: string;
  strict: boolean;
  /** Whether a failure ends the build, rather than leaving it as without the plugin. */
  isFatal(error: unknown): boolean;
}

export function settle(options: PluginOptions): Settled {
  try {
    const { service, build } = divide(options);
    const { variant, profiledOutdir, strict = false } = build;
    return { service, both: variant === "both", profiledOutdir, strict, isFatal: (error) => strict || isOption(error) };
  } catch (error) {
    throw new Error(`fieldprof: ${messageOf(error)}`, { cause: error });
  }
}

/** Whether the bundler writes pages, which then load the runtime. */
export function hasPages(paths: string[]): boolean {
  return paths.some((path) => /\.html?$/.test(path));
}

/** A glob that matches exactly one path. */
export const exactly = (path: string) => "/" + path.replace(/[\\*?[\]{}]/g, "\\$&");
