import type { Channel } from "./channel";

/** Starts the service in WebAssembly; undefined if fieldprof-wasm is not installed. */
export async function startWASM(): Promise<Channel | undefined> {
  let open: () => Promise<Channel>;
  try {
    ({ open } = await import("fieldprof-wasm"));
  } catch (error) {
    // From Node, or a bundler that left it out; any other error comes from inside it.
    if (/fieldprof-wasm['"]/.test(String((error as Error).message)) && !String((error as Error).message).includes("fieldprof-wasm/")) return undefined;
    throw error;
  }
  return open();
}
