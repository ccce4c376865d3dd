// What is loaded only when a profile is made: it reads stacks and makes traces
// of recordings. See parts.ts.
import type { ProfilerTrace } from "./parts";
import { recordingOf } from "./reader";
import type { Session } from "./samples";
import { traceOf } from "./trace/trace";

export { attend, record, recordingOf } from "./reader";
export { cpuprofile } from "./trace/cpuprofile";
export { raw } from "./trace/raw";
export { readTablesBy } from "./trace/tables";

export function trace(session: Session): Promise<ProfilerTrace> {
  return traceOf(recordingOf(session));
}
