import type { ProfilerTrace } from "./parts.cjs";
import type { Session } from "./samples.cjs";
export { attend, record, recordingOf } from "./reader.cjs";
export { cpuprofile } from "./trace/cpuprofile.cjs";
export { raw } from "./trace/raw.cjs";
export { readTablesBy } from "./trace/tables.cjs";
export declare function trace(session: Session, asUnknown?: boolean): Promise<ProfilerTrace>;
