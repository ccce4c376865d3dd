// Which stretch of time is shown.
import { element } from "../../../profile/report/src/text";
import { button, type Page } from "./parts";
import { usual } from "./state";

const ranges: [from: string, text: string][] = [
  ["now-1h", "Last hour"],
  ["now-24h", "Last 24 hours"],
  ["now-7d", "Last 7 days"],
  ["now-30d", "Last 30 days"],
];

const units: Record<string, number> = { m: 60e3, h: 3600e3, d: 86_400e3 };

/** A moment of an address, in milliseconds. */
export function momentOf(text: string): number {
  const [, by, unit] = /^now(?:-(\d+)([mhd]))?$/.exec(text) ?? [];
  if (unit) return Date.now() - Number(by) * units[unit];
  return text === "now" ? Date.now() : Date.parse(text);
}

/** As the input for a moment has it: local time without its zone. */
function local(text: string): string {
  const ms = momentOf(text);
  if (Number.isNaN(ms)) return "";
  return new Date(ms - new Date(ms).getTimezoneOffset() * 60e3).toISOString().slice(0, 16);
}

export function rangeOf({ state, go }: Page): HTMLElement {
  const isKnown = state.to === usual.to && ranges.some(([from]) => from === state.from);
  const list = element("select", { "aria-label": "Time range" }, ...ranges.map(([value, text]) => element("option", { value }, text)), element("option", { value: "" }, "Between …"));
  list.value = isKnown ? state.from : "";
  const from = element("input", { type: "datetime-local", "aria-label": "From" });
  const to = element("input", { type: "datetime-local", "aria-label": "To" });
  [from.value, to.value] = [local(state.from), local(state.to)];
  const said = element("span", { role: "alert" });
  const show = button("Show", () => {
    const [begin, end] = [new Date(from.value), new Date(to.value)];
    if (end > begin) go({ ...state, from: begin.toISOString(), to: end.toISOString() });
    else said.textContent = "The range must end after it begins.";
  });
  const own = element("span", { class: "between", hidden: isKnown }, from, "–", to, show, said);
  list.addEventListener("change", () => {
    own.hidden = list.value !== "";
    if (list.value) go({ ...state, from: list.value, to: usual.to });
    else from.focus();
  });
  return element("span", { class: "range" }, list, own);
}
