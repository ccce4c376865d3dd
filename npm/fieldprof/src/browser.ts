import { connect } from "./client";
import { FieldprofError } from "./error";
import type { Service } from "./types";
import { startWASM } from "./wasm";

export { FieldprofError };
export type { Message, Options, Result, Service, TreeFile } from "./types";

/** Starts the service in a worker of the page, from fieldprof-wasm. */
export async function start(): Promise<Service> {
  const channel = await startWASM();
  if (channel) return connect(channel);
  throw new FieldprofError("the package fieldprof-wasm is not there: in a browser fieldprof runs as WebAssembly");
}
