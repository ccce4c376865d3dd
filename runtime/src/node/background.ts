// Has jobs done by a thread of their own, so that the service does not wait for them.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { bareEnvironment, bareThread } from "../core/bare";
import type { Job } from "./job";
import { neighbour } from "./place";
import { process } from "./nodeprocess";
import { removePart } from "./rotation";
import { say, Trouble } from "./say";

/** How many jobs may be under way, an hour's by default: a thread that is slower than that is in trouble. */
const most = 60;

/** How long the last profile may take, in ms: a file system that hangs must not hold the service. */
const patience = 60_000;

/** The file that makes profiles; undefined where it is not, as in a service that is one file. */
const maker = [neighbour("finish.js")].find(existsSync);

export class Background {
  private thread: Worker | undefined;
  private readonly open = new Map<number, Job>();
  private next = 0;
  private readonly trouble = new Trouble(say, "profiles are made again");

  /** Hands over a job. */
  add(job: Job) {
    if (this.open.size >= most) {
      return this.trouble.begin("the thread that makes profiles is behind: this profile is dropped");
    }
    const id = this.next++;
    this.open.set(id, job);
    try {
      this.thread ??= this.start();
      this.thread.postMessage({ id, job });
    } catch (error) {
      this.open.delete(id);
      this.trouble.begin(`a thread cannot be started: ${error}: this profile is dropped`);
    }
  }

  /** Whether jobs are under way. */
  get isBusy(): boolean {
    return this.open.size > 0;
  }

  private start(): Worker {
    if (!maker) throw new Error("finish.js is missing");
    const thread = new Worker(maker, bareThread());
    thread.on("message", ({ done, text }: { done?: number; text?: string }) => {
      if (text !== undefined) say(text);
      if (done === undefined) return;
      this.open.delete(done);
      this.trouble.end();
    });
    const failed = (error: unknown) => {
      if (this.thread !== thread) return;
      this.thread = undefined;
      this.open.clear();
      this.trouble.begin(`the thread that makes profiles has failed: ${error}`);
    };
    thread.on("error", failed);
    thread.on("exit", (code: unknown) => failed(`exit code ${code}`));
    thread.unref();
    return thread;
  }

  /**
   * Does what is left, and one more job if there is one, before it returns. An ending
   * process cannot wait for its threads: another process does it.
   */
  finish(last: Job | undefined) {
    const jobs = [...this.open.values()];
    this.open.clear();
    if (last) jobs.push(last);
    if (jobs.length === 0) return;
    if (!maker) return say("the profile could not be made: finish.js of @fieldprof/runtime is missing: is it part of a bundle?");
    try {
      const options = { env: bareEnvironment(), input: JSON.stringify(jobs), encoding: "utf8", maxBuffer: 1 << 24, timeout: patience, killSignal: "SIGKILL" };
      const { status, signal, stderr, error } = spawnSync(process.execPath, [maker], options);
      for (const line of String(stderr ?? "").split("\n")) if (line.startsWith("fieldprof: ")) say(line.slice("fieldprof: ".length));
      const why = error ?? (String(stderr ?? "").trim().slice(0, 2000) || `the process that makes it was ended by ${signal}`);
      if (status === 0) return;
      say(`the profile could not be made: ${why}`);
      if ((error as { code?: string } | undefined)?.code === "ETIMEDOUT") return; // the file system may hang
      for (const { file } of jobs) if (file) removePart(file); // it may have been killed while it wrote
    } catch (error) {
      say(`the profile could not be made: ${error}`); // Node's permissions do not include processes
    }
  }
}
