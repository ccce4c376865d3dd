// The events, in sentences: the last few, until they are dismissed.
import { apart, element } from "../text";
import type { Feed } from "./feed";
import { nameOf, type Source } from "./protocol";

const most = 4;

export class Notices {
  readonly host = element("div", { class: "notices", role: "status" });
  private known = new Map<string, Source>();
  private server = "";
  private isLost = false;

  constructor(private readonly feed: Feed) {
    feed.onNews((news) => {
      if (news === "sources") this.compare(feed.sources, feed.server);
      if (news === "connection") this.connected();
    });
  }

  /** Says something, of a name if it begins with one: see apart. */
  say(text: string, key = "", name = "") {
    const dismiss = element("button", { type: "button", "aria-label": "Dismiss" }, "×");
    const line = element("p", { "data-key": key }, element("span", {}, ...apart([name]), text), dismiss);
    dismiss.addEventListener("click", () => line.remove());
    this.unsay(key);
    this.host.append(line);
    while (this.host.children.length > most) this.host.firstElementChild!.remove();
  }

  unsay(key: string) {
    for (const line of [...this.host.children]) if (key && (line as HTMLElement).dataset.key === key) line.remove();
  }

  private connected() {
    const { connection } = this.feed;
    if (connection.is === "trying") this.say("The connection is lost. Trying again …", "connection");
    if (connection.is === "refused") this.say(`The server refused this panel: ${connection.why}`, "connection");
    if (connection.is === "open") {
      this.unsay("connection");
      if (this.isLost) this.say("The connection is back.", "connection");
    }
    this.isLost = connection.is === "trying";
  }

  private compare(list: Source[], server: string) {
    if (this.server && server && server !== this.server) this.say("The server was started again.", "server");
    this.server = server;
    for (const source of list) this.changed(source, this.known.get(source.id));
    this.known = new Map(list.map((source) => [source.id, source]));
  }

  private changed(source: Source, before: Source | undefined) {
    const name = nameOf(source);
    const replaced = source.after ? this.known.get(source.after) : undefined;
    if (!before && replaced) this.say(` was reloaded${replaced.state === "recording" || source.state === "recording" ? ", and recording goes on" : ""}.`, source.after, name);
    if (before && source.state !== before.state && source.state === "lost") this.say(`: the connection is lost${because(source)}.`, source.id, name);
    if (before?.state === "lost" && source.state !== "lost" && source.state !== "gone") this.say(" is connected again.", source.id, name);
    const [batches, ticks] = [(source.dropped?.batches ?? 0) - (before?.dropped?.batches ?? 0), (source.dropped?.ticks ?? 0) - (before?.dropped?.ticks ?? 0)];
    if (before && batches > 0) this.say(`: ${count(batches, "batch", "batches")} dropped (${count(ticks, "tick")}), because ${batches === 1 ? "it" : "they"} could not be sent in time.`, `${source.id} dropped`, name);
  }
}

const because = ({ why }: Source) => (why ? ` (${why})` : "");

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}
