// The environment of our threads and processes in Node: the app's environment, but without what
// Node would load into them first, such as ourselves or an agent. Electron is to be Node in them.

/** A copy of the environment. */
export const bareEnvironment = () => ({ ...globalThis.process!.env, NODE_OPTIONS: "", ELECTRON_RUN_AS_NODE: "1" });
