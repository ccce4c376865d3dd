// The messages between a server and a panel, as package profile/live has them.

export const subprotocol = "fieldprof.live.1";

export interface Account {
  raised?: number;
  missed?: number;
  taken?: number;
  idle?: number;
  program?: number;
  gc?: number;
  lost?: number;
}

export interface Dropped {
  batches?: number;
  ticks?: number;
}

/** A program that is or was profiled. */
export interface Source {
  id: string;
  after?: string;
  what: string;
  name: string;
  url: string;
  engine: string;
  clocks?: string[] | null;
  state: string;
  why?: string;
  profile?: number;
  began?: number;
  interval?: number;
  clock?: string;
  samples?: number;
  account?: Account;
  dropped?: Dropped;
  notes?: string[];
}

/** The name of a source, for people. */
export function nameOf({ name, url, what }: Source): string {
  return name || url || what;
}

export interface Sources {
  type: "sources";
  list?: Source[] | null;
  server?: string;
}

export interface Mark {
  time: number;
  duration?: number;
  what: string;
  name: string;
  detail?: string;
}

export interface Record {
  id: number;
  name: string;
  file: string;
  line?: number;
  kind?: string;
}

export interface Batch {
  type: "batch";
  source?: string;
  profile: number;
  seq: number;
  began?: { time: number; interval: number };
  records?: Record[];
  /** Flat: of each stack its caller, its record, line and column. */
  stacks?: number[];
  samples?: { delta?: number[] | null; stack?: number[] | null; weight?: number[] | null };
  marks?: Mark[];
  account?: Account;
  notes?: string[];
  dropped?: Dropped;
}

export type FromServer = Sources | Batch | { type: "refused"; why: string } | { type: "clear"; sources?: string[] };

export type ToServer = { type: "start"; interval: number; clock?: string; sources?: string[] } | { type: "stop" | "clear"; sources?: string[] };
