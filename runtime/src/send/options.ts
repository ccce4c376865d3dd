// The options of sending, and their defaults.
import type { Slow } from "../interactions/slice";
import type { ProfilerTrace } from "../recording/parts";
import { cleanText } from "../trace/clean";
import type { Envelope } from "./envelope";
import { matcher } from "./routes";

/** Yes or no, now or later. */
export type Consent = boolean | PromiseLike<boolean>;

/** How often sessions are profiled on some pages. */
export interface Route {
  /** Matches location.pathname: a glob (`*` within a segment, `**` across, `?` one character), or a RegExp. */
  path: string | RegExp;
  /** The fraction of the sessions, 0 to 1. */
  sampleRate: number;
  /** The name of the route in envelopes; by default the text of the path. */
  name?: string;
}

/** Which slices are sent. */
export interface SliceOptions {
  /** The least duration that is slow, in milliseconds (docs/interactions.md); Infinity: never. */
  thresholds?: Partial<Record<Slow, number>>;
  /** How many slices a page view sends at most: the worst, and a random choice of the others; default 5. */
  perPage?: number;
}

export interface SendOptions {
  /** The URL that profiles are posted to. */
  url: string | URL;
  /** The fraction of the sessions that is profiled, 0 to 1; by default all, since the profiled build may be served to sampled sessions only. */
  sampleRate?: number;
  /** Rates of routes; the first match counts. */
  routes?: readonly Route[];
  /** Sessions are chosen by their id and this seed: another seed chooses others. */
  seed?: string | number;
  /** Milliseconds between samples; default 10. */
  sampleInterval?: number;
  /** Profiling this page ends if it takes more than this, in percent of the time that the page is busy; by default it does not. */
  maxOverhead?: number;
  /** Send only what is slow, and counts, instead of whole profiles. Loads interactions.js. */
  slices?: boolean | SliceOptions;
  /** Milliseconds of a chunk; default 60,000. A page's first chunk has at most 5,000. */
  chunk?: number;
  /** Bytes of a request before compression; default 1 MiB. Larger chunks are sent in parts. */
  maxBytes?: number;
  /** Bytes of all requests of a session; default 16 MiB. */
  maxSessionBytes?: number;
  /** How many requests may wait; default 10. Beyond, the oldest is dropped. */
  maxQueue?: number;
  /** Whether anything may be recorded and sent: checked before a profile starts and, if it is a function, before each request. */
  consent?: Consent | (() => Consent);
  /** The name of this build. */
  release?: string;
  /** Labels of your own, such as `{ plan: "pro" }`: at most ten short texts. */
  labels?: Record<string, string>;
  /** The page's name in envelopes; default its origin and path. A query and a fragment are always cut off. */
  page?: (location: Location) => string;
  /** Changes a trace before it is sent. The chunk is dropped if this returns nothing, or takes 30 seconds. */
  transform?: (trace: ProfilerTrace, envelope: Envelope) => ProfilerTrace | null | undefined | PromiseLike<ProfilerTrace | null | undefined>;
  /** Headers of the requests. */
  headers?: Record<string, string>;
  /** As for fetch; default same-origin. */
  credentials?: RequestCredentials;
  /** Compress requests, except on leaving; by default only to the page's own origin: elsewhere it costs a preflight. */
  compress?: boolean;
  /** Called with what was dropped and why. Messages of errors are included here, and never sent. */
  onnote?: (note: string) => void;
}

/** Options with all defaults. */
export interface Settings {
  readonly url: URL;
  readonly rateOf: (path: string) => { rate: number; route?: string };
  /** The highest of all rates. */
  readonly highest: number;
  readonly seed: string;
  readonly sampleInterval: number;
  readonly maxOverhead: number;
  /** Null: chunks are sent. */
  readonly slices: Required<SliceOptions> | null;
  readonly chunk: number;
  readonly maxBytes: number;
  readonly maxSessionBytes: number;
  readonly maxQueue: number;
  readonly consent: () => Consent;
  readonly release?: string;
  readonly labels?: Record<string, string>;
  /** Undefined: it has not said. */
  readonly page?: (location: Location) => string;
  readonly transform?: SendOptions["transform"];
  readonly headers?: Record<string, string>;
  readonly credentials: RequestCredentials;
  readonly sameOrigin: boolean;
  readonly compress: boolean;
  readonly note: (note: string) => void;
}

/** A number within bounds, or the default. */
function number(value: unknown, otherwise: number, least: number, most: number): number {
  return typeof value === "number" && value >= least ? Math.min(value, most) : otherwise;
}

/** The most labels, and the longest text of one, in characters. */
const mostLabels = 10;
const longestLabel = 100;

function labelsOf(labels: Record<string, unknown>): Record<string, string> {
  const entries = Object.entries(labels).slice(0, mostLabels);
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value).slice(0, longestLabel)]));
}

function slicesOf(options: true | SliceOptions): Required<SliceOptions> {
  const { thresholds = {}, perPage } = options === true ? ({} as SliceOptions) : options;
  return { thresholds, perPage: Math.floor(number(perPage, 5, 0, 100)) };
}

/** Fills in the defaults; throws what is wrong with the options. */
export function settle(options: SendOptions): Settings {
  const url = new URL(String(options.url), globalThis.location?.href);
  if (!/^https?:$/.test(url.protocol)) throw new TypeError(`url is ${url.protocol}, not http`);
  const sameOrigin = url.origin === globalThis.location?.origin;
  const { consent = true, routes = [], transform, release, headers, onnote } = options;
  const everywhere = number(options.sampleRate, options.sampleRate === undefined ? 1 : 0, 0, 1);
  const rules = routes.map(({ path, sampleRate, name }) => ({
    fits: matcher(path),
    rate: number(sampleRate, 0, 0, 1),
    route: name ? cleanText(String(name)) : cleanText(String(path), true),
  }));
  return {
    url,
    rateOf: (path) => rules.find(({ fits }) => fits(path)) || { rate: everywhere },
    highest: Math.max(everywhere, ...rules.map(({ rate }) => rate)),
    seed: String(options.seed ?? ""),
    sampleInterval: number(options.sampleInterval, 10, 0, 1e6),
    maxOverhead: number(options.maxOverhead, Infinity, 0.1, Infinity),
    slices: options.slices ? slicesOf(options.slices) : null,
    chunk: number(options.chunk, 60_000, 100, 2 ** 31 - 1),
    maxBytes: number(options.maxBytes, 1 << 20, 1000, Infinity),
    maxSessionBytes: number(options.maxSessionBytes, 16 << 20, 0, Infinity),
    maxQueue: number(options.maxQueue, 10, 1, 1000),
    consent: typeof consent === "function" ? consent : () => consent,
    release,
    labels: options.labels && labelsOf(options.labels),
    page: options.page,
    transform,
    headers,
    credentials: options.credentials || "same-origin",
    sameOrigin,
    compress: options.compress ?? sameOrigin,
    note(text) {
      try {
        onnote?.(text);
      } catch {
        // An error of the listener is ignored.
      }
    },
  };
}
