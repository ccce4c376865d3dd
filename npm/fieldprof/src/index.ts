import { connect } from "./client";
import { FieldprofError } from "./error";
import { startProcess } from "./process";
import { findProgram, missing } from "./program";
import type { Service } from "./types";
import { startWASM } from "./wasm";

export { FieldprofError };
export type { Message, Options, Result, Service, Target, TreeFile, Written } from "./types";

const orWASM = ", or install fieldprof-wasm, which runs everywhere, if slower";

/**
 * Starts the service: the program named by `binary` or by FIELDPROF_BINARY, the program of
 * this platform, or fieldprof-wasm if there is no program or `wasm` asks for it.
 */
export async function start({ binary, wasm = false }: { binary?: string; wasm?: boolean } = {}): Promise<Service> {
  const program = binary ?? (wasm ? "" : findProgram());
  if (program) return connect(startProcess(program));
  const channel = await startWASM();
  if (channel) return connect(channel);
  throw new FieldprofError(wasm ? "the package fieldprof-wasm is not installed: install it beside fieldprof, in the same version" : missing(orWASM));
}
