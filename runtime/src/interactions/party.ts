// Whose code a function is.
import type { ProfilerTrace } from "../recording/parts";

/** The groups that the time of a slice is divided into. */
export type Group = "own" | "framework" | "third-party" | "native" | "gc" | "style" | "layout" | "paint" | "other" | "waiting";

/** In the order in which equal amounts are listed. */
export const groupNames: readonly Group[] = ["own", "framework", "third-party", "native", "gc", "style", "layout", "paint", "other", "waiting"];

export interface BlameOptions {
  /** The page's URL: scripts of other origins are third parties. The default is this page's URL. */
  page?: string;
  /** Whether a script of another origin is the page's own, such as one of its CDN. */
  firstParty?: (url: string) => boolean;
  /** Whether a script is a framework, in addition to node_modules and sources that maps ignore. */
  framework?: (url: string) => boolean;
}

/** A function as traces have it. Its name is "" if it has none. */
export interface Place {
  name: string;
  url: string;
  line: number;
  column: number;
}

/** The names of frames that are not functions (profile/pseudo.go). */
const pseudo = new Set(["(root)", "(program)", "(idle)", "(garbage collector)", "(native)", "(host)", "(lost)"]);

/** The function of a frame. */
export function placeOf(trace: ProfilerTrace, { name, resourceId = -1, line = 0, column = 0 }: ProfilerTrace["frames"][number]): Place {
  return { name, url: trace.resources[resourceId] ?? "", line, column };
}

export const isPseudo = ({ name, url }: Place) => url === "" && pseudo.has(name);

/** Whose code a function is; ignored: a map says that it is not the user's own. */
export function partyOf({ name, url }: Place, ignored: boolean, options: BlameOptions): Group {
  if (url === "" && name !== "") return name === unknown ? "third-party" : "native";
  if (ignored || packageOf(url) || options.framework?.(url)) return "framework";
  const origin = originOf(url);
  const page = originOf(options.page ?? String(globalThis.location?.href));
  return origin && page && origin !== page && !options.firstParty?.(url) ? "third-party" : "own";
}

/** The name in traces of functions whose scripts must not show. */
const unknown = "unknown";

/** The origin of a URL, "" if it has none. */
const originOf = (url: string) => /^(?:blob:)?(https?:\/\/[^/\\?#]*)/.exec(url)?.[1] ?? "";

/** The host in a URL, "" if there is none. */
export const hostOf = (url: string) => originOf(url).replace(/^.*\//, "");

/** The package that a file belongs to, by the last node_modules in its path; "" if there is none. */
export const packageOf = (url: string) => /^.*(?:^|[/\\])node_modules[/\\](?:\.vite[/\\]deps[/\\])?(@[^/\\]+[/\\][^/\\]+|[^/\\]+)/.exec(url)?.[1] ?? "";
