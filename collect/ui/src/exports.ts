// A menu of downloads: a profile in any format.
import { element } from "../../../profile/report/src/text";
import { addressFor } from "./api";

interface Format {
  name: string;
  title: string;
}

/** The formats that this collector writes, as the page lists them. */
function formats(): Format[] {
  return JSON.parse(document.getElementById("formats")!.textContent!) as Format[];
}

/** Links to a profile of the API in each format; a comparison is a report only. */
export function exportsOf(path: string, words: URLSearchParams, isReport = false): HTMLElement {
  const all: Format[] = [{ name: "html", title: "a report, in one file" }, ...(isReport ? [] : formats())];
  const links = all.map(({ name, title }) => {
    const asked = new URLSearchParams(words);
    asked.set("format", name);
    return element("li", {}, element("a", { href: addressFor(path, asked), download: "" }, element("b", {}, name), ` ${title}`));
  });
  const menu = element("details", { class: "menu" }, element("summary", {}, "Export"), element("ul", {}, ...links));
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary")!.focus();
  });
  menu.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget && !menu.contains(relatedTarget as Node)) menu.open = false;
  });
  return menu;
}
