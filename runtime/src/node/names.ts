// The names of files and profiles: after the app, the time, and the process or thread.
import { existsSync, statSync } from "node:fs";
import Module from "node:module";
import { basename, dirname, extname, join, resolve } from "node:path";
import { getEnvironmentData, isMainThread, setEnvironmentData, threadId } from "node:worker_threads";
import { process } from "./nodeprocess";
import type { Mode } from "./variables";

/** The endings of files that can be written; the format is by the ending. */
const endings = [".cpuprofile", ".json", ".pprof", ".pb.gz"];

/** The files of a process or thread. */
export interface Names {
  readonly folder: string;
  /** The part before the time, or the whole name where the user has named one file. */
  readonly base: string;
  /** The process and thread, where there are several: -42, -42-t1. */
  readonly who: string;
  readonly extension: string;
  /** Whether names have a time. */
  readonly timed: boolean;
}

/** The app's name: its script's. */
export function appName(): string {
  const [, script] = process.argv;
  return script ? basename(script, extname(script)) : "node";
}

/** The thread's name in profiles; empty for the main thread of the first process. */
export function threadName(): string {
  const worker = isMainThread ? "" : `worker ${threadId}`;
  return [cluster, worker].filter(Boolean).join(", ");
}

/** The cluster's child that this is, asked while it is connected; empty for none. */
const cluster = clusterName();

/** Node takes the number out of the environment before any of our code runs, and gives it to the main thread only. */
function clusterName(): string {
  const key = "fieldprof cluster";
  if (!isMainThread) return (getEnvironmentData(key) as string | undefined) ?? "";
  if (!process.connected) return ""; // only children have to load that part of Node
  const { worker } = Module.createRequire(process.execPath)("node:cluster") as { worker?: { id: number } };
  if (!worker) return "";
  const name = `cluster ${worker.id}`;
  setEnvironmentData(key, name);
  return name;
}

/** The folder that the process was started in. The app may have another one when it starts a thread. */
function startFolder(): string {
  const key = "fieldprof folder";
  const known = isMainThread ? undefined : (getEnvironmentData(key) as string | undefined);
  if (known !== undefined) return known;
  const folder = process.cwd();
  setEnvironmentData(key, folder);
  return folder;
}

/**
 * The files of this process and thread. Processes that the app starts inherit its
 * environment, and threads its process id: neither may write to the file of another. A cluster's
 * children have siblings, also if the process that has started them is not recorded.
 */
export function namesOf(output: string, mode: Mode, say: (text: string) => void): Names {
  const { env, pid } = process;
  const first = (env.FIELDPROF_PROCESS ||= String(pid)) === String(pid);
  let who = first && isMainThread && !cluster ? "" : `-${pid}`;
  if (!isMainThread) who += `-t${threadId}`;
  const start = startFolder();
  if (output === "" || isFolder(resolve(start, output), output)) {
    return { folder: resolve(start, output), base: appName(), who, extension: ".cpuprofile", timed: true };
  }
  const extension = endings.find((each) => output.endsWith(each));
  if (!extension) say(`FIELDPROF_OUTPUT=${output} ends in none of ${endings.join(", ")}: writing ${output}.cpuprofile`);
  const base = basename(extension ? output.slice(0, -extension.length) : output);
  return { folder: resolve(start, dirname(output)), base, who, extension: extension ?? ".cpuprofile", timed: mode !== "exit" };
}

/** Whether a path is a folder, or is meant to be one as it is written. */
function isFolder(path: string, written: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return /[/\\]$/.test(written);
  }
}

/** The file of a profile that began at a time, in milliseconds since 1970. */
export function fileAt(names: Names, mode: Mode, began: number): string {
  const digits = new Date(began).toISOString().replace(/\D/g, "");
  // Profiles of the same second need milliseconds.
  const time = names.timed ? `-${digits.slice(0, 8)}-${digits.slice(8, mode === "exit" ? 14 : 17)}` : "";
  const file = (who: string) => join(names.folder, names.base + time + who + names.extension);
  const first = file(names.who);
  // Another run may have ended that began in the same second.
  return mode === "exit" && names.timed && !names.who && existsSync(first) ? file(`-${process.pid}`) : first;
}

/** Whether a file of the folder is one of the app's that rotation may take away. */
export function isOfFamily(names: Names, file: string): boolean {
  if (!file.startsWith(`${names.base}-`) || !file.endsWith(names.extension)) return false;
  const rest = file.slice(names.base.length, file.length - names.extension.length);
  return /^-\d{8}-\d{9}(?:-\d+)?(?:-t\d+)?$/.test(rest);
}
