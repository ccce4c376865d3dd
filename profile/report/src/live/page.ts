// The panel's page.
import { remember } from "../address";
import { element } from "../text";
import { Timeline } from "../timeline";
import { frameOf, viewsOf } from "../views";
import { Feed } from "./feed";
import { Figures } from "./figures";
import { Files, textsFrom, type Server } from "./files";
import { Notices } from "./notices";
import { Sources } from "./sources";
import type { Follow, FromWorker, Look, ToWorker } from "./wire";

/** The options that the server put into the page. */
interface Options extends Server {
  title: string;
  /** Where the site is that can be profiled. */
  site: string;
}

/** The charts that a snapshot may come with, by the names of their views. */
const charts: { [view: string]: Look["chart"] } = { "Flame graph": "flame", "Time order": "order", Marks: "flame" };

export function startPage(script: string) {
  const told = JSON.parse(document.getElementById("options")!.textContent!) as Omit<Options, "token">;
  const options: Options = { ...told, token: document.querySelector<HTMLMetaElement>("meta[name=fieldprof-token]")!.content };
  const worker = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
  const feed = new Feed(worker, textsFrom(options, () => feed.store.tell("data")));
  const notices = new Notices(feed);
  show(feed, notices, options);
  worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => feed.hear(data));
  worker.addEventListener("error", () => notices.say("The panel's worker has failed. Reload this page."));
  worker.postMessage({ do: "open", url: new URL("/__fieldprof/panel", location.href).href.replace(/^http/, "ws"), token: options.token } satisfies ToWorker);
  reloadWhenRefused(feed, notices, options.token);
  document.documentElement.dataset.ready = "true";
}

function show(feed: Feed, notices: Notices, options: Options) {
  const { store } = feed;
  const [sources, figures, files] = [new Sources(feed), new Figures(feed), new Files(feed, options, notices)];
  const clear = element("button", { type: "button", title: "Forget what was sampled so far" }, "Clear");
  clear.addEventListener("click", () => feed.send({ type: "clear", sources: feed.named }));
  feed.onNews((news) => news !== "snapshot" && (clear.disabled = feed.isNoneChosen));
  sources.controls.append(followOf(feed));
  const { search, help, rest, tabs } = frameOf(store, viewsOf(store));
  const heading = element("header", {}, element("h1", {}, options.title), connectionOf(feed), search, files.save, files.compare, clear, help);
  const timeline = new Timeline(store);
  tabs.onOpen(() => feed.see({ chart: charts[tabs.name] ?? "" }));
  document.body.replaceChildren(heading, notices.host, sources.host, sources.controls, timeline.host, figures.host, hintOf(feed, options.site || new URL("/", location.href).href), ...rest);
  remember(store, tabs);
  new ResizeObserver(() => feed.see({ width: timeline.width })).observe(timeline.host);
  const isEmpty = () => document.body.classList.toggle("empty", store.profile.time.length === 0);
  store.onChange(isEmpty);
  isEmpty();
}

/** A hint at what to do next, as long as there is nothing to see. */
function hintOf(feed: Feed, site: string): HTMLElement {
  const hint = element("p", { class: "hint", role: "status" });
  const fill = () => {
    const shown = feed.sources.filter(({ id }) => feed.isShown(id));
    const open = shown.filter(({ state }) => state === "connected" || state === "recording");
    const address = element("a", { href: /^https?:/.test(site) ? site : "/", target: "_blank", rel: "noopener" }, site);
    hint.hidden = feed.store.profile.time.length > 0;
    let words: (string | Node)[];
    if (feed.connection.is !== "open") words = ["Connecting to the server …"];
    else if (feed.sources.length === 0) words = ["No page is connected. Open the site at ", address, ", then press Start. Start now to record pages from their first moment."];
    else if (shown.length === 0) words = ["No source is chosen. Choose at least one in the list above."];
    else if (open.length === 0) words = ["No program is connected any more. Open the site at ", address, " again."];
    else if (!open.some(({ state }) => state === "recording")) words = ["Press Start, then use the site: its calls appear here as they are sampled."];
    else words = ["Recording. Nothing has been sampled yet: use the site, and its calls appear here."];
    const fresh = hint.cloneNode() as HTMLElement;
    fresh.append(...words);
    if (fresh.textContent !== hint.textContent) hint.replaceChildren(...fresh.childNodes);
  };
  feed.onNews(fill);
  fill();
  return hint;
}

function connectionOf(feed: Feed): HTMLElement {
  const said = element("span", { class: "connection" });
  const fill = () => {
    const { is } = feed.connection;
    said.className = `connection ${is}`;
    said.textContent = { connecting: "connecting", open: "live", trying: "offline", refused: "refused" }[is];
  };
  feed.onNews((news) => news === "connection" && fill());
  fill();
  return said;
}

const follows: [value: string, name: string, follow: Follow | null][] = [
  ["all", "show all", "all"],
  ["10", "show the last 10 s", 10_000],
  ["30", "show the last 30 s", 30_000],
  ["range", "show a selected range", null],
];

/** Which range stays in view while data comes in. */
function followOf(feed: Feed): HTMLElement {
  const select = element("select", { class: "follow", "aria-label": "Follow" }, ...follows.map(([value, name]) => element("option", { value }, name)));
  select.addEventListener("change", () => {
    const { store, latest } = feed;
    const chosen = follows.find(([value]) => value === select.value)![2];
    const origin = latest?.origin ?? 0;
    feed.see({ follow: chosen ?? [store.range[0] + origin, store.range[1] + origin] });
  });
  feed.onNews((news) => {
    if (news === "look") select.value = follows.find(([, , follow]) => follow === feed.follow)?.[0] ?? "range";
  });
  return select;
}

/** A server that was started again has another token, which a new page has. A token is reloaded for once. */
function reloadWhenRefused(feed: Feed, notices: Notices, token: string) {
  const key = "fieldprof-refused";
  const refused = sessionStorage.getItem(key);
  if (refused && refused !== token) {
    sessionStorage.removeItem(key);
    notices.say("The server was started again.", "server");
  }
  feed.onNews((news) => {
    if (news !== "connection" || feed.connection.is !== "refused" || sessionStorage.getItem(key) === token) return;
    sessionStorage.setItem(key, token);
    location.reload();
  });
}
