// The files that are fetched from the server in addition to the stream: profiles to save and to
// compare with, and texts of sources.
import { Change } from "../change";
import type { Store, Texts } from "../store";
import { element } from "../text";
import { Calls } from "./calls";
import type { Feed } from "./feed";
import { Held } from "./held";
import { Member } from "./member";
import type { Notices } from "./notices";
import type { Batch } from "./protocol";
import { snapshotOf } from "./snapshot";

export interface Server {
  token: string;
  /** Names of formats, and whether there is a profile to compare with. */
  formats: string[];
  before: boolean;
}

const address = (path: string, query: [string, string][]) => `/__fieldprof/${path}?${new URLSearchParams(query)}`;

/** Texts as they are asked for: unknown at first. The newest few are kept. */
export function textsFrom({ token }: Server, told: () => void): Texts {
  const known = new Map<string, string | undefined>();
  return (file) => {
    if (!known.has(file) && file) {
      known.set(file, undefined);
      for (const oldest of known.keys()) if (known.size > 50) known.delete(oldest);
      void fetch(address("text", [["token", token], ["file", file]]))
        .then(async (answer) => {
          if (answer.status !== 200) return; // unknown
          known.set(file, await answer.text());
          told();
        })
        .catch(() => known.delete(file)); // no connection: the next time
    }
    return known.get(file);
  };
}

/** An answer that is no failure, which the server explains. */
async function answered(asked: Promise<Response>): Promise<Response> {
  const answer = await asked;
  if (!answer.ok) throw new Error((await answer.text()).trim().slice(0, 300) || String(answer.status));
  return answer;
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** The profile of one batch, to compare with. */
export function changeFrom(batch: Batch): Change {
  const [calls, held] = [new Calls(), new Held(Infinity)];
  new Member(0, calls, held).add({ ...batch, profile: 0 }, { time: 0, interval: 1 });
  return new Change(snapshotOf(held, calls, { shown: [1], unit: 1000, begin: 0 }).profile);
}

export class Files {
  readonly save: HTMLElement;
  readonly compare: HTMLElement;
  private readonly input = element("input", { type: "file", hidden: true });
  private readonly compared = element("span", { class: "compared", hidden: true });
  private readonly store: Store;

  constructor(
    private readonly feed: Feed,
    private readonly server: Server,
    private readonly notices: Notices,
  ) {
    this.store = feed.store;
    const format = element("select", { "aria-label": "Format" }, ...server.formats.map((name) => element("option", { value: name }, name)));
    const save = element("button", { type: "button" }, "Save");
    save.addEventListener("click", () => void this.download(format.value));
    feed.onNews((news) => news !== "snapshot" && (save.disabled = feed.isNoneChosen));
    this.save = element("span", { class: "save", role: "group", "aria-label": "Save" }, save, format);
    const choose = element("button", { type: "button", title: "Choose a profile in any format, or drop one on this page" }, "Compare …");
    choose.addEventListener("click", () => this.input.click());
    this.input.addEventListener("change", () => this.input.files?.[0] && void this.read(this.input.files[0]));
    this.compare = element("span", { class: "compare" }, choose, this.input, this.compared);
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      if (file) void this.read(file);
    });
    if (server.before) void this.load("the profile of --before", fetch(address("before", [["token", server.token]])));
  }

  /** Where the chosen sources' profiles are, in a format. */
  addressOf(format: string): string {
    return address("save", [["token", this.server.token], ["format", format], ...(this.feed.named ?? []).map((id): [string, string] => ["source", id])]);
  }

  /** Saves what the server answers; a link to it would save the reason of a failure, or say nothing. */
  private async download(format: string) {
    try {
      const answer = await answered(fetch(this.addressOf(format)));
      const [, name = "live"] = /filename="?([^";]+)/.exec(answer.headers.get("Content-Disposition") ?? "") ?? [];
      const href = URL.createObjectURL(await answer.blob());
      element("a", { href, download: name }).click();
      setTimeout(() => URL.revokeObjectURL(href), 60_000); // a browser may ask where to save it
      this.notices.unsay("save");
    } catch (error) {
      this.notices.say(`The profile cannot be saved: ${reasonOf(error)}`, "save");
    }
  }

  private read(file: File) {
    this.input.value = "";
    return this.load(file.name, fetch(address("read", [["token", this.server.token]]), { method: "POST", body: file }));
  }

  private async load(name: string, asked: Promise<Response>) {
    try {
      const answer = await answered(asked);
      this.store.compare(changeFrom((await answer.json()) as Batch));
      this.showCompared(name);
    } catch (error) {
      this.notices.say(` cannot be read: ${reasonOf(error)}`, "", name);
    }
  }

  private showCompared(name: string) {
    const end = element("button", { type: "button", "aria-label": "End the comparison" }, "×");
    end.addEventListener("click", () => {
      this.compared.hidden = true;
      this.store.compare(null);
    });
    this.compared.replaceChildren(`compared with ${name} `, end);
    this.compared.hidden = false;
  }
}
