// The labels that the selection is limited to, and a dialog that chooses their values.
import { printable } from "../../../profile/report/src/printable";
import { element } from "../../../profile/report/src/text";
import type { LabelValues } from "./answers";
import { count } from "./figures";
import { button, select, type Page } from "./parts";
import { having, without } from "./state";

export function filtersOf(page: Page): HTMLElement {
  const { state } = page;
  const chips = Object.entries(state.where).map(([label, values]) => {
    const words = `${label}: ${values.map((value) => value || "(unknown)").join(", ")}`;
    const edit = button(words, () => choose(page, label), { title: "Choose other values" });
    const remove = button("×", () => page.go({ ...state, where: without(state.where, label) }), { "aria-label": `Remove the filter ${printable(words)}` });
    return element("span", { class: "chip" }, edit, remove);
  });
  const add = button(chips.length > 0 ? "Add filter" : "Filter …", () => choose(page, ""), { class: "add" });
  return element("span", { class: "filters", role: "group", "aria-label": "Filters" }, ...chips, add);
}

function choose(page: Page, label: string) {
  const dialog = element("dialog", { "aria-labelledby": "filter", class: "filter" });
  const body = element("div", {}, element("p", { class: "waiting", role: "status" }, "Loading …"));
  const buttons = element("p", { class: "buttons" }, button("Cancel", () => dialog.close()));
  dialog.append(element("h2", { id: "filter" }, "Filter"), body, buttons);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  page.labels.then(
    (labels) => show({ page, dialog, body, buttons, labels }, label),
    (error: unknown) => body.replaceChildren(element("p", { role: "alert" }, `The labels cannot be read: ${error instanceof Error ? error.message : String(error)}`)),
  );
}

interface Choice {
  page: Page;
  dialog: HTMLDialogElement;
  body: HTMLElement;
  buttons: HTMLElement;
  labels: LabelValues[];
}

function show(choice: Choice, wanted: string) {
  const { page, dialog, body, buttons, labels } = choice;
  if (labels.length === 0) return body.replaceChildren(element("p", {}, "There are no labels in this range: nothing was recorded in it."));
  const label = labels.some(({ name }) => name === wanted) ? wanted : labels[0].name;
  const { values } = labels.find(({ name }) => name === label)!;
  const chosen = new Set(Object.hasOwn(page.state.where, label) ? page.state.where[label] : []);
  const known = new Set(values?.map(({ value }) => value));
  const all = [...[...chosen].filter((value) => !known.has(value)).map((value) => ({ value, chunks: 0 })), ...(values ?? [])];
  const search = element("input", { type: "search", placeholder: "Search values", "aria-label": "Search values" });
  const list = element("ul", { class: "values" });
  const fill = () => {
    const words = search.value.trim().toLowerCase();
    list.replaceChildren(...all.filter(({ value }) => value.toLowerCase().includes(words)).slice(0, 200).map(({ value, chunks }) => line(value, chunks, chosen)));
    if (list.childElementCount === 0) list.append(element("li", { class: "soft" }, "No value has these letters."));
  };
  search.addEventListener("input", fill);
  fill();
  const labelList = select("Label", labels.map(({ name }) => [name, name]), label, (name) => show(choice, name));
  const apply = button(
    "Apply",
    () => {
      dialog.close();
      const { where } = page.state;
      page.go({ ...page.state, where: chosen.size > 0 ? having(where, label, ...chosen) : without(where, label) });
    },
    { class: "primary" },
  );
  body.replaceChildren(element("p", { class: "row" }, labelList, search), list);
  buttons.querySelector(".primary")?.remove();
  buttons.append(apply);
  (wanted ? search : labelList).focus();
}

function line(value: string, chunks: number, chosen: Set<string>): HTMLElement {
  const box = element("input", { type: "checkbox", checked: chosen.has(value) });
  box.addEventListener("change", () => (box.checked ? chosen.add(value) : chosen.delete(value)));
  return element("li", {}, element("label", {}, box, element("span", { class: "name" }, value || "(unknown)"), element("span", { class: "soft" }, count(chunks))));
}
