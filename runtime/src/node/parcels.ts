// The parts of a profile that are sent, in the form of each receiver.
import { Buffer } from "node:buffer";
import { gzipSync } from "node:zlib";
import type { Finished } from "./finished";
import { otlpOf } from "./otlp";
import type { Parcel } from "./delivery";
import { pprofOf } from "./pprof";
import type { PushTo } from "./variables";

/** How many routes of a profile are sent to the collector one by one. */
const mostRoutes = 20;

/** The origin that is sent with each profile. */
export interface Origin {
  readonly release?: string;
  readonly pid: number;
}

export function parcelsOf(finished: Finished, push: PushTo, origin: Origin): Parcel[] {
  const { release = "" } = origin;
  const { thread } = finished.about;
  const labels: Record<string, string> = {};
  if (release) labels.release = release;
  if (thread) labels.thread = thread;
  switch (push.to) {
    case "collector":
      return toCollector(finished, push, origin);
    case "pyroscope":
      return [toPyroscope(finished, push, labels)];
    case "otlp": {
      const resource: Record<string, string> = { "process.pid": String(origin.pid) };
      if (release) resource["service.version"] = release;
      if (thread) resource["thread.name"] = thread;
      const body = gzipSync(JSON.stringify(otlpOf(finished, resource, { idle: false })));
      return [{ url: at(push.url, "/v1development/profiles"), headers: { ...push.headers, "Content-Type": "application/json", "Content-Encoding": "gzip" }, body }];
    }
  }
}

/** The collector knows a request's route, so each route has its own parcel. */
function toCollector(finished: Finished, push: PushTo, { release, pid }: Origin): Parcel[] {
  const routes = finished.values("route").slice(0, mostRoutes);
  const parcel = (route: string | undefined, has: (route?: string) => boolean): Parcel => {
    const url = new URL(at(push.url, "/v1/profiles"));
    if (release) url.searchParams.set("release", release);
    if (route) url.searchParams.set("route", route);
    url.searchParams.set("service", finished.program);
    // A parcel that arrives twice counts once.
    const id = [finished.program, pid, finished.about.thread, finished.raw.origin, finished.raw.started, route ?? ""].join(" ");
    const headers = { ...push.headers, "Content-Type": "application/octet-stream", "X-Fieldprof-Request-Id": encodeURIComponent(id) };
    return { url: url.href, headers, body: pprofOf(finished, { labels: (set) => has(set.route) }) };
  };
  return [parcel(undefined, (route) => !route || !routes.includes(route)), ...routes.map((route) => parcel(route, (of) => of === route))];
}

/** Pyroscope's push API, as collect/forward in Go uses it. */
function toPyroscope(finished: Finished, push: PushTo, labels: Record<string, string>): Parcel {
  const all: Record<string, string> = { ...labels, __name__: "process_cpu", service_name: finished.program };
  const series = Object.keys(all)
    .sort()
    .map((name) => ({ name, value: all[name] }));
  const rawProfile = Buffer.from(pprofOf(finished, { idle: false })).toString("base64");
  return {
    url: at(push.url, "/push.v1.PusherService/Push"),
    headers: { ...push.headers, "Content-Type": "application/json", "Connect-Protocol-Version": "1" },
    body: JSON.stringify({ series: [{ labels: series, samples: [{ rawProfile }] }] }),
  };
}

/** An address that has no path gets the receiver's usual one. */
function at(url: string, path: string): string {
  const address = new URL(url);
  if (address.pathname === "/") address.pathname = path;
  return address.href;
}
