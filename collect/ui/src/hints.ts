// Advice where there is nothing to see.
import { element } from "../../../profile/report/src/text";
import type { LabelValues, UploadedFile } from "./answers";
import { ask, ofApp } from "./api";
import { part, type Content, type Page } from "./parts";
import { usual } from "./state";

/** Where the collector is, for pages and commands. */
const base = () => new URL(".", location.href).href.replace(/\/$/, "");

export const docs = (name: string) => `https://github.com/fieldprof/fieldprof/blob/main/docs/${name}.md`;

export const docsLink = (name: string, text: string) => element("a", { href: docs(name), target: "_blank", rel: "noopener noreferrer" }, text);

const code = (text: string) => element("pre", { tabindex: 0 }, element("code", {}, text));

/** The same selection over a month and without filters. */
function wider(page: Page): Content {
  const { state } = page;
  const links: Content = [];
  if (Object.keys(state.where).length > 0) links.push(page.link({ ...state, where: {} }, "Remove the filters"));
  if (state.slow) links.push(page.link({ ...state, slow: false }, "Show all time, not only slow moments"));
  if (state.from !== "now-30d" || state.to !== usual.to) links.push(page.link({ ...state, from: "now-30d", to: usual.to }, "Show 30 days"));
  return links.map((link) => element("li", {}, link));
}

/** Nothing in the selection, perhaps because nothing has been sent at all. */
export function nothing(page: Page): HTMLElement {
  const { app } = page.state;
  const send = `import { send } from "@fieldprof/runtime/send";\nsend({ url: "${base()}/v1/profiles?key=KEY", sampleRate: 0.01, release: "1.0" });`;
  const more = element(
    "details",
    {},
    element("summary", {}, "How pages send profiles"),
    element("p", {}, "Put this into the pages of ", element("b", {}, app), ", with a key of the app from the collector's configuration instead of KEY:"),
    code(send),
    element("p", {}, "Sentry's and Datadog's SDKs, OTLP and pprof are accepted, too: ", docsLink("ingest", "what can be sent"), "."),
  );
  const wide = wider(page);
  const host = element("div", { class: "hint" }, element("p", {}, "Nothing was recorded in this selection."), ...(wide.length > 0 ? [element("ul", {}, ...wide)] : []), more);
  void page.labels.then(
    (labels) => (more.open = labels.length === 0),
    () => undefined,
  );
  return host;
}

export function noApps(): HTMLElement {
  return element("div", { class: "hint" }, element("p", {}, "This token admits to no app. Name one in the collector's configuration, then reload this page: ", docsLink("collect", "how"), "."));
}

/** The command that gives a release its maps, for the releases in the selection that have none. */
export function missingMaps(page: Page): HTMLElement {
  const load = async (signal: AbortSignal) => {
    const [labels, { files }] = await Promise.all([page.labels, ask<{ files: UploadedFile[] | null }>("files", ofApp(page.state), signal)]);
    const mapped = new Set((files ?? []).map((file) => file.release));
    return releasesOf(page, labels).filter((release) => !mapped.has(release));
  };
  const host = part(page, "", load, (releases) => {
    host.hidden = releases.length === 0;
    if (host.hidden) return [];
    const [first, ...rest] = releases;
    const others = rest.length > 0 ? `, and ${rest.length === 1 ? "one other release has" : `${rest.length} other releases have`} none either` : "";
    return [
      element("details", { class: "hint" }, element("summary", {}, `Release ${first} has no source maps${others}: functions have the names of the deployed code.`), element("p", {}, "Upload the maps and function tables of the build. They also count for what has been recorded already:"), code(`instrument upload --url ${base()} --app ${quoted(page.state.app)} --release ${quoted(first)} dist-profiled/`)),
    ];
  });
  host.hidden = true;
  host.classList.add("aside");
  return host;
}

/** The releases in the selection, those with most chunks first. */
function releasesOf({ state }: Page, labels: LabelValues[]): string[] {
  const all = Object.hasOwn(state.where, "release") ? state.where.release : (labels.find(({ name }) => name === "release")?.values ?? []).map(({ value }) => value);
  return all.filter((value) => value && value !== "(other)");
}

/** A word of a command line. */
const quoted = (word: string) => (/^[\w.@:/+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
