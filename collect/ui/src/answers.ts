// The answers of the API: the types of package answer.

export interface Estimate {
  value: number;
  low: number;
  high: number;
}

export interface Fn {
  name: string;
  file?: string;
  line?: number;
}

export interface Overview {
  from: string;
  to: string;
  by: string[] | null;
  rows: OverviewRow[] | null;
}

export interface OverviewRow {
  labels: Record<string, string> | null;
  chunks: number;
  views: number;
  allViews: number;
  inp: Estimate | null;
  inpViews: number;
  slowShare: Estimate | null;
  cpu: Estimate | null;
  busyShare: Estimate | null;
  longTasks: number | null;
}

export interface Functions {
  busyMs: number;
  ticks: number;
  functions: FunctionRow[] | null;
  notes?: string[];
}

export interface FunctionRow extends Fn {
  selfMs: number;
  totalMs: number;
  selfShare: number;
  totalShare: number;
  ignored?: boolean;
}

export interface Diff {
  before: string;
  after: string;
  blocks: [number, number];
  summary: string;
  diff: { changed: number; functions: ChangeRow[] | null };
}

export interface ChangeRow {
  name: string;
  file: string;
  line?: number;
  status?: string;
  self: Shift;
  total: Shift;
}

export interface Shift {
  before: number;
  after: number;
  change: number | null;
  margin: number;
  p: number;
  significant: boolean;
}

export interface Trend {
  function: Fn;
  stepSeconds: number;
  points: TrendPoint[] | null;
  releases?: { release: string; at: string }[];
}

export interface TrendPoint {
  at: string;
  self: Estimate | null;
  total: Estimate | null;
  ticks: number;
}

export interface Slices {
  subjects: Subject[] | null;
  slices: SliceRow[] | null;
  notes?: string[];
}

export interface Subject {
  what: string;
  name: string;
  target?: string;
  count: number;
  all: number;
  p50Ms: number;
  p75Ms: number;
  maxMs: number;
  causes: Cause[] | null;
}

export interface Cause extends Fn {
  group: string;
  share: number;
}

export interface SliceRow {
  id: string;
  at: string;
  what: string;
  name: string;
  target?: string;
  durationMs: number;
  weight: number;
  labels: Record<string, string> | null;
  why: string;
  cause: Cause | null;
}

export interface Slice extends SliceRow {
  inputDelayMs: number;
  processingMs: number;
  presentationMs: number;
  groups: Record<string, number> | null;
  functions: SliceFunction[] | null;
  handler: Fn | null;
}

export interface SliceFunction extends Fn {
  group: string;
  selfMs: number;
  totalMs: number;
}

export interface LabelValues {
  name: string;
  values: { value: string; chunks: number }[] | null;
}

export interface ExampleRow {
  id: string;
  at: string;
  labels: Record<string, string> | null;
  busyMs: number;
}

export interface BudgetRow {
  name: string;
  measure: string;
  unit: string;
  max: number;
  value: number;
  margin: number;
  broken: boolean;
  since?: string;
  checked: string;
}

export interface UploadedFile {
  release: string;
  name: string;
  kind: string;
  uploaded: string; // RFC 3339
}
