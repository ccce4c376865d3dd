// The part that a goja runtime gets: the host gives the engine.
export { makeProfiler } from "./class";
