import type { Channel } from "./channel";

/** Starts the service in WebAssembly; undefined where fieldprof-wasm is not installed. */
export async function startWASM(): Promise<Channel | undefined> {
  let open: () => Promise<Channel>;
  try {
    ({ open } = await import("fieldprof-wasm"));
  } catch (error) {
    // Of Node, or of a bundler that left it out; any other error is one inside it.
    if (/fieldprof-wasm['"]/.test(String((error as Error).message)) && !String((error as Error).message).includes("fieldprof-wasm/")) return undefined;
    throw error;
  }
  return open();
}
