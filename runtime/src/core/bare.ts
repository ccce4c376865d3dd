// The environment of threads and processes of ours in Node: that of the app, but without what
// Node would load into them first, such as ourselves or an agent. Electron is to be Node in them.

/** A copy of the environment. */
export const bareEnvironment = () => ({ ...globalThis.process!.env, NODE_OPTIONS: "", ELECTRON_RUN_AS_NODE: "1" });
