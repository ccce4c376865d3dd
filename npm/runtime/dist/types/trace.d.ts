import type { ProfilerTrace } from "./parts.js";
import type { Session } from "./samples.js";
export { attend, record, recordingOf } from "./reader.js";
export { cpuprofile } from "./trace/cpuprofile.js";
export { raw } from "./trace/raw.js";
export { readTablesBy } from "./trace/tables.js";
export declare function trace(session: Session, asUnknown?: boolean): Promise<ProfilerTrace>;
