// What a page says of sending, and what stands for what it does not say.
import type { ProfilerTrace } from "../recording/parts";
import { cleanText } from "../trace/clean";
import type { Envelope } from "./envelope";
import { matcher } from "./routes";

/** Yes or no, now or later. */
export type Consent = boolean | PromiseLike<boolean>;

/** How often sessions are profiled on some of the pages. */
export interface Route {
  /** Of location.pathname: a glob (`*` within a segment, `**` across, `?` one character), or a RegExp. */
  path: string | RegExp;
  /** The part of the sessions, 0 to 1. */
  sampleRate: number;
  /** What envelopes call the route; the text of the path, if there is none. */
  name?: string;
}

export interface SendOptions {
  /** Where profiles are posted to. */
  url: string | URL;
  /** The part of the sessions that is profiled, 0 to 1; 1 is all, as is the default: the profiled build may be for sampled sessions alone. */
  sampleRate?: number;
  /** Rates of routes; the first that fits counts. */
  routes?: readonly Route[];
  /** Sessions are chosen by their id and this: another seed chooses others. */
  seed?: string | number;
  /** Milliseconds between samples, 10. */
  sampleInterval?: number;
  /** Milliseconds of a chunk, 60,000. The first one of a page is 5,000 at most. */
  chunk?: number;
  /** Bytes of one request, before compression, 1 MiB. Larger chunks are sent in parts. */
  maxBytes?: number;
  /** Bytes of all requests of a session, 16 MiB. */
  maxSessionBytes?: number;
  /** Requests that may wait, 10; beyond it the oldest goes. */
  maxQueue?: number;
  /** Whether anything may be recorded and sent: asked before a profile starts and, if it is a function, before each sending. */
  consent?: Consent | (() => Consent);
  /** Which build this is. */
  release?: string;
  /** What envelopes say of the page; its origin and path, if not given. A query and a fragment are cut off in any case. */
  page?: (location: Location) => string;
  /** Changes a trace before it is sent; without a result in 30 seconds the chunk is dropped. */
  transform?: (trace: ProfilerTrace, envelope: Envelope) => ProfilerTrace | null | undefined | PromiseLike<ProfilerTrace | null | undefined>;
  /** Headers of the requests. */
  headers?: Record<string, string>;
  /** As fetch has it; same-origin. */
  credentials?: RequestCredentials;
  /** Compress what is sent, other than on leaving; at the page's own origin only, if not given: elsewhere it costs a preflight. */
  compress?: boolean;
  /** Hears of what was dropped and why; what errors say is told here and never sent. */
  onnote?: (note: string) => void;
}

/** Options with nothing left open. */
export interface Settings {
  readonly url: URL;
  readonly rateOf: (path: string) => { rate: number; route?: string };
  /** The highest of all rates. */
  readonly highest: number;
  readonly seed: string;
  readonly sampleInterval: number;
  readonly chunk: number;
  readonly maxBytes: number;
  readonly maxSessionBytes: number;
  readonly maxQueue: number;
  readonly consent: () => Consent;
  readonly release?: string;
  readonly page: (location: Location) => string;
  readonly transform?: SendOptions["transform"];
  readonly headers?: Record<string, string>;
  readonly credentials: RequestCredentials;
  readonly sameOrigin: boolean;
  readonly compress: boolean;
  readonly note: (note: string) => void;
}

/** A number within bounds, or what stands for it. */
function number(value: unknown, otherwise: number, least: number, most: number): number {
  return typeof value === "number" && value >= least ? Math.min(value, most) : otherwise;
}

/** Completes options; throws what is wrong with them. */
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
    chunk: number(options.chunk, 60_000, 100, 2 ** 31 - 1),
    maxBytes: number(options.maxBytes, 1 << 20, 1000, Infinity),
    maxSessionBytes: number(options.maxSessionBytes, 16 << 20, 0, Infinity),
    maxQueue: number(options.maxQueue, 10, 1, 1000),
    consent: typeof consent === "function" ? consent : () => consent,
    release,
    page: options.page || ((location) => location.origin + location.pathname),
    transform,
    headers,
    credentials: options.credentials || "same-origin",
    sameOrigin,
    compress: options.compress ?? sameOrigin,
    note(text) {
      try {
        onnote?.(text);
      } catch {
        // Whoever listens must help itself.
      }
    },
  };
}
