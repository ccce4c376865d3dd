// What is loaded only when a profile is made: it reads stacks and makes traces
// of recordings. See parts.ts.
import type { ProfilerTrace } from "./parts";
import { place } from "./place";
import { recordingOf } from "./reader";
import type { Session } from "./samples";
import { traceOf } from "./trace/trace";

export { attend, record, recordingOf } from "./reader";
export { cpuprofile } from "./trace/cpuprofile";
export { raw } from "./trace/raw";
export { readTablesBy } from "./trace/tables";

place.base ||= (import.meta.url || "").replace(/[^/]*$/, "");

export function trace(session: Session, asUnknown?: boolean): Promise<ProfilerTrace> {
  return traceOf(recordingOf(session), asUnknown);
}
