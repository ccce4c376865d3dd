// Our threads and processes in Node have the app's environment, but without what Node would load
// into them first, such as ourselves or an agent. Electron is to be Node in them.

/** A copy of the environment. */
export const bareEnvironment = () => ({ ...globalThis.process!.env, NODE_OPTIONS: "", ELECTRON_RUN_AS_NODE: "1" });

/**
 * Options of a thread. Node would lead its output to process.stdout and process.stderr. Once these have been read,
 * pipes no longer block: writeSync(1), by the app or by others that have the pipe, then fails with EAGAIN if it is
 * faster than the reader.
 */
export const bareThread = () => ({ execArgv: [], env: bareEnvironment(), stdout: true, stderr: true });
