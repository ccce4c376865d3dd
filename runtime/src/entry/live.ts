// The script of `instrument serve`: a page loads it before all others, a worker imports it
// after its own. It connects the page or worker to the server, which starts and stops live
// profiles. Everything it needs is in it. See docs/live.md.
import { element } from "../core/element";
import { files } from "../core/files";
import { checks } from "../core/flag";
import { setLoader, type Parts } from "../recording/parts";
import { showOverlay } from "../live/overlay";
import { LiveSource, type State } from "../live/streamer";
import * as trace from "./trace";

const realm = globalThis as { __fieldprofSource?: string; __fieldprofBuild?: string };
const token = element?.dataset.source ?? realm.__fieldprofSource;
const build = element?.dataset.build ?? realm.__fieldprofBuild;
delete realm.__fieldprofSource;
delete realm.__fieldprofBuild;

function start(token: string) {
  // A worker imports this script from its own origin.
  const folder = new URL("/__fieldprof/", element?.src || globalThis.location.origin);
  files.base = folder.href;
  setLoader(async (): Promise<Parts> => trace);
  let show: ((state: State) => void) | undefined;
  const socket = new URL("source", folder);
  socket.protocol = socket.protocol === "https:" ? "wss:" : "ws:";
  const source = new LiveSource(socket.href, { token, build }, (state) => show?.(state));
  if (element?.dataset.overlay !== undefined) show = showOverlay(folder.href, () => source.toggle());
}

if (token && !checks.live) {
  checks.live = true;
  start(token);
}
