// The views, one at a time, over one store.
import { bottomUp, topDown } from "./branches";
import { Chart } from "./chart";
import { describeBox, Functions } from "./functions";
import type { Box } from "./layers";
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
    if (changed === "range") fill();
    if (LIVE && changed === "data") chart.update(store.flame);
  });
  return { name: "Flame graph", host: chart.host, fill };
}

function inTime(store: Store): View {
  const describe = ({ start, end, fn }: Box) => {
    const { profile } = store;
    return [profile.functions[fn].name, moment(profile, end - start), `at ${moment(profile, start)}`, place(profile.functions[fn])].filter(Boolean).join(" · ");
  };
  const chart = new Chart(store, { label: "Calls in time", isTime: true, describe });
  const fill = () => chart.show(store.order, store.range);
  store.onChange((changed) => {
    if (!chart.host.isConnected) return;
    if (changed === "range") fill();
    if (LIVE && changed === "data") chart.update(store.order, store.range);
  });
  return { name: "Time order", host: chart.host, fill };
}

export function viewsOf(store: Store): View[] {
  const functions = new Functions(store);
  const down = new TreeGrid(store, { label: "Calls from the top", roots: () => topDown(store.profile, store.weights) });
  const up = new TreeGrid(store, { label: "Callers from the bottom", roots: () => bottomUp(store.profile, store.weights), goesUp: true });
  return [
    flame(store),
    inTime(store),
    { name: "Functions", host: functions.host, fill: () => functions.fill() },
    { name: "Top down", host: down.host, fill: () => down.fill() },
    { name: "Bottom up", host: up.host, fill: () => up.fill() },
  ];
}

/** Tabs as screen readers know them; one view is in the page at a time. */
export function tabs(views: View[], opened: (view: View) => void = () => {}): HTMLElement[] {
  const panel = element("main", { role: "tabpanel", id: "panel", tabindex: -1 });
  const list = element("div", { role: "tablist", "aria-label": "Views" });
  const buttons = views.map(({ name }, i) => {
    const button = element("button", { type: "button", role: "tab", id: `tab${i}`, "aria-controls": "panel" }, name);
    button.addEventListener("click", () => open(i));
    return button;
  });
  const open = (i: number) => {
    buttons.forEach((button, at) => {
      button.setAttribute("aria-selected", String(at === i));
      button.tabIndex = at === i ? 0 : -1;
    });
    panel.setAttribute("aria-labelledby", `tab${i}`);
    panel.replaceChildren(views[i].host);
    views[i].fill();
    opened(views[i]);
  };
  list.append(...buttons);
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const at = (buttons.indexOf(document.activeElement as HTMLButtonElement) + step + buttons.length) % buttons.length;
    buttons[at].focus();
    open(at);
  });
  open(0);
  return [list, panel];
}

export function searchOf(store: Store): HTMLElement {
  const input = element("input", { type: "search", placeholder: "Search functions and files ( / )", "aria-label": "Search functions and files" });
  input.addEventListener("input", () => store.search(input.value));
  addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    input.focus();
  });
  return input;
}
