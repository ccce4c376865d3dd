// What is loaded only when a profile is made: it reads stacks and makes traces
// of recordings. See parts.ts.
export { cpuprofile } from "./trace/cpuprofile";
export { format } from "./trace/format";
export { raw } from "./trace/raw";
export { readTablesBy } from "./trace/tables";
export { trace } from "./trace/trace";
