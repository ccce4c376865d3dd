// The views, one at a time, over one store.
import { Bar, Search } from "./bar";
import { bottomUp, topDown } from "./branches";
import { Chart } from "./chart";
import { describeBox, Functions } from "./functions";
import { Help } from "./help";
import { actOf, inTabs, type ActOf } from "./keys";
import type { Box } from "./layers";
import { Marks } from "./marks";
import { Sandwich } from "./sandwich";
import type { Store } from "./store";
import { element, moment, place } from "./text";
import { TreeGrid } from "./treegrid";

export interface View {
  name: string;
  host: HTMLElement;
  /** Shows what is in view now. */
  fill(): void;
}

function flame(store: Store): View {
  const chart = new Chart(store, { label: "Flame graph", describe: (box) => describeBox(store, box) });
  const fill = () => chart.show(store.flame);
  store.onChange((changed) => {
    if (!chart.host.isConnected) return;
    if (store.isOther(changed)) fill();
    if (LIVE && changed === "data") chart.update(store.flame);
  });
  return { name: "Flame graph", host: chart.host, fill };
}

function inTime(store: Store): View {
  const describe = ({ start, end, fn }: Box) => {
    const { profile } = store;
    return [profile.functions[fn].name, moment(profile, end - start), `at ${moment(profile, start)}`, place(profile.functions[fn])];
  };
  const chart = new Chart(store, { label: "Calls in time", isTime: true, describe });
  const fill = () => chart.show(store.order, store.range);
  store.onChange((changed) => {
    if (!chart.host.isConnected) return;
    if (store.isOther(changed)) fill();
    if (LIVE && changed === "data") chart.update(store.order, store.range);
  });
  return { name: "Time order", host: chart.host, fill };
}

export function viewsOf(store: Store): View[] {
  const functions = new Functions(store);
  const [sandwich, marks] = [new Sandwich(store), new Marks(store)];
  const down = new TreeGrid(store, { label: "Calls from the top", roots: () => topDown(store.profile, store.weights) });
  const up = new TreeGrid(store, { label: "Callers from the bottom", roots: () => bottomUp(store.profile, store.weights), goesUp: true });
  const views = [
    flame(store),
    inTime(store),
    { name: "Functions", host: functions.host, fill: () => functions.fill() },
    { name: "Sandwich", host: sandwich.host, fill: () => sandwich.fill() },
    { name: "Top down", host: down.host, fill: () => down.fill() },
    { name: "Bottom up", host: up.host, fill: () => up.fill() },
    { name: "Marks", host: marks.host, fill: () => marks.fill() },
  ];
  return LIVE || !store.profile.isSum ? views : views.filter(({ name }) => name !== "Time order" && name !== "Marks");
}

/** Tabs as screen readers know them; one view is in the page at a time. */
export class Tabs {
  readonly list = element("div", { role: "tablist", "aria-label": "Views" });
  readonly panel = element("main", { role: "tabpanel", id: "panel", tabindex: -1 });
  private readonly buttons: HTMLButtonElement[];
  private readonly opened: (() => void)[] = [];
  private at = 0;

  constructor(private readonly views: View[]) {
    this.buttons = views.map(({ name }, i) => {
      const button = element("button", { type: "button", role: "tab", id: `tab${i}`, "aria-controls": "panel" }, name);
      button.addEventListener("click", () => this.open(i));
      return button;
    });
    this.list.append(...this.buttons);
    this.list.addEventListener("keydown", (event) => {
      const act = actOf(inTabs, event);
      if (!act) return;
      const by: Record<ActOf<typeof inTabs>, number> = { before: -1, after: 1 };
      this.open((this.at + by[act] + views.length) % views.length);
      this.buttons[this.at].focus();
    });
    this.open(0);
  }

  /** The view that is open. */
  get name(): string {
    return this.views[this.at].name;
  }

  onOpen(listener: () => void) {
    this.opened.push(listener);
  }

  /** Opens a view, if there is one of that name. */
  show(name: string) {
    const at = this.views.findIndex((view) => view.name === name);
    if (at >= 0 && at !== this.at) this.open(at);
  }

  private open(at: number) {
    this.at = at;
    this.buttons.forEach((button, i) => {
      button.setAttribute("aria-selected", String(i === at));
      button.tabIndex = i === at ? 0 : -1;
    });
    this.panel.setAttribute("aria-labelledby", `tab${at}`);
    this.panel.replaceChildren(this.views[at].host);
    this.views[at].fill();
    this.buttons[at].scrollIntoView({ block: "nearest", inline: "nearest" });
    for (const listener of this.opened) listener();
  }
}

/** The parts that a report and a live panel have in common. */
export interface Frame {
  search: HTMLElement;
  help: HTMLElement;
  /** From the tabs to the views. */
  rest: HTMLElement[];
  tabs: Tabs;
}

export function frameOf(store: Store, views: View[]): Frame {
  const [search, help, bar, tabs] = [new Search(store), new Help(), new Bar(store), new Tabs(views)];
  bar.listen(search, help);
  store.onChange((changed) => changed === "focus" && tabs.show("Sandwich"));
  return { search: search.host, help: help.button, rest: [tabs.list, bar.host, tabs.panel, help.dialog], tabs };
}
