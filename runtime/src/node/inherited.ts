// The variables that are for us. A worker may have an environment of its own, in which those
// that the service was started with are missing: then they hold for it as well.
import { getEnvironmentData, isMainThread, setEnvironmentData } from "node:worker_threads";
import { process } from "./nodeprocess";

const key = "fieldprof environment";

type Variables = Readonly<Record<string, string | undefined>>;

/** Read at once: tests of apps replace the environment. */
export const variables: Variables = read();

function read(): Variables {
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith("FIELDPROF_")));
  if (!isMainThread) return { ...(getEnvironmentData(key) as Variables | undefined), ...own };
  setEnvironmentData(key, own);
  return own;
}
