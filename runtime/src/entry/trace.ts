// Loaded only when a profile is made: reads stacks, and makes traces of recordings. See
// recording/parts.ts.
import type { ProfilerTrace } from "../recording/parts";
import { files } from "../core/files";
import { recordingOf } from "../recording/reader";
import type { Session } from "../recording/sessions";
import { askEarly } from "../trace/early";
import { traceOf } from "../trace/standard";

export { attend, record, recordingOf } from "../recording/reader";
export { cpuprofile } from "../trace/cpuprofile";
export { raw } from "../trace/raw";
export { readTablesBy } from "../trace/tables";

files.base ||= (import.meta.url || "").replace(/[^/]*$/, "");
askEarly();

export function cut(session: Session, from: number, to: number): Promise<ProfilerTrace> {
  return traceOf(recordingOf(session).part(from, to));
}

export function trace(session: Session, asUnknown?: boolean): Promise<ProfilerTrace> {
  return traceOf(recordingOf(session), asUnknown);
}
