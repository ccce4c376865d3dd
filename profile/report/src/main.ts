// The page: its views, one at a time, over one store.
import { leftHeavy } from "./bands";
import { bottomUp, topDown } from "./branches";
import { Change } from "./change";
import { Chart } from "./chart";
import { contentOf } from "./columns";
import { describeBox, Functions } from "./functions";
import type { Box } from "./layers";
import { Profile } from "./profile";
import { Store } from "./store";
import { element, moment, place } from "./text";
import { Timeline } from "./timeline";
import { TimeOrder } from "./timeorder";
import { TreeGrid } from "./treegrid";

interface View {
  name: string;
  host: HTMLElement;
  /** Shows what is in view now. */
  fill(): void;
}

function flame(store: Store): View {
  const chart = new Chart(store, { label: "Flame graph", describe: (box) => describeBox(store, box) });
  const fill = () => chart.show(leftHeavy(store.profile, store.weights));
  store.onChange((changed) => changed === "range" && chart.host.isConnected && fill());
  return { name: "Flame graph", host: chart.host, fill };
}

function inTime(store: Store): View {
  const { profile } = store;
  let order: TimeOrder | undefined;
  const describe = ({ start, end, fn }: Box) =>
    [profile.functions[fn].name, moment(profile, end - start), `at ${moment(profile, start)}`, place(profile.functions[fn])].filter(Boolean).join(" · ");
  const chart = new Chart(store, { label: "Calls in time", isTime: true, describe });
  const fill = () => chart.show((order ??= new TimeOrder(profile)), store.range);
  store.onChange((changed) => changed === "range" && chart.host.isConnected && fill());
  return { name: "Time order", host: chart.host, fill };
}

function viewsOf(store: Store): View[] {
  const { profile } = store;
  const functions = new Functions(store);
  const down = new TreeGrid(store, { label: "Calls from the top", roots: () => topDown(profile, store.weights) });
  const up = new TreeGrid(store, { label: "Callers from the bottom", roots: () => bottomUp(profile, store.weights), goesUp: true });
  return [
    flame(store),
    inTime(store),
    { name: "Functions", host: functions.host, fill: () => functions.fill() },
    { name: "Top down", host: down.host, fill: () => down.fill() },
    { name: "Bottom up", host: up.host, fill: () => up.fill() },
  ];
}

/** Tabs as screen readers know them; one view is in the page at a time. */
function tabs(views: View[]): HTMLElement[] {
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

function searchOf(store: Store): HTMLElement {
  const input = element("input", { type: "search", placeholder: "Search functions and files ( / )", "aria-label": "Search functions and files" });
  input.addEventListener("input", () => store.search(input.value));
  addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    input.focus();
  });
  return input;
}

async function start() {
  document.body.append(element("p", { role: "status" }, "Opening the profile …"));
  const content = await contentOf(document.getElementById("content")!);
  const { profile: columns, before, sources } = content;
  const profile = new Profile(columns, content);
  const store = new Store(profile, before ? new Change(new Profile(before, content)) : null, sources);
  const [health, ...more] = columns.about;
  const open = more.some((line) => line.startsWith("lost: ")); // so that losses are seen
  const about = element("details", { open }, element("summary", {}, health ?? "About"), ...more.map((line) => element("p", {}, line)));
  const heading = element("header", {}, element("h1", {}, columns.title), searchOf(store), about);
  const [list, panel] = tabs(viewsOf(store));
  document.body.replaceChildren(heading, new Timeline(store).host, list, panel);
  document.documentElement.dataset.ready = "true";
}

start().catch((error: unknown) => {
  document.body.replaceChildren(element("p", { role: "alert" }, `This page cannot be shown: it is not complete, or this browser is older than 2023 (${String(error)}).`));
  throw error;
});
