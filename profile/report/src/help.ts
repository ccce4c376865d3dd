// The keys in an overlay. A modal dialog keeps the focus inside, and Escape closes it.
import { groups, nameOf } from "./keys";
import { element } from "./text";

export class Help {
  readonly dialog: HTMLDialogElement;
  /** Opens it. */
  readonly button = element("button", { type: "button", class: "help", title: "Keys ( ? )", "aria-label": "Keys" }, "?");

  constructor() {
    const close = element("button", { type: "button" }, "Close");
    const title = element("h2", { id: "keys" }, "Keys");
    this.dialog = element("dialog", { class: "keys", "aria-labelledby": "keys" }, element("header", {}, title, close), ...groups.map(([where, keys]) => section(where, keys)));
    close.addEventListener("click", () => this.dialog.close());
    this.button.addEventListener("click", () => this.open());
    this.dialog.addEventListener("click", (event) => event.target === this.dialog && this.dialog.close()); // outside its content
  }

  open() {
    if (!this.dialog.open) this.dialog.showModal();
  }
}

function section(where: string, keys: (typeof groups)[number][1]): HTMLElement {
  const lines = keys.map(({ keys, does }) => element("div", {}, element("dt", {}, ...keys.map((key) => element("kbd", {}, nameOf(key)))), element("dd", {}, does)));
  return element("section", {}, element("h3", {}, where), element("dl", {}, ...lines));
}
