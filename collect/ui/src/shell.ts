// The frame of every page: the app, the range and the filters, and the links to the views.
import { element } from "../../../profile/report/src/text";
import { signOut } from "./api";
import { filtersOf } from "./filters";
import { docsLink } from "./hints";
import { button, failure, select, type Content, type Page } from "./parts";
import { rangeOf } from "./range";
import { viewOf } from "./state";
import { views } from "./views";

export class Shell {
  readonly main = element("div", { role: "main", id: "main", tabindex: -1 });
  private readonly apps = element("span", { class: "apps" });
  private readonly range = element("span");
  private readonly filters = element("div", { class: "selection" });
  private readonly nav = element("nav", { "aria-label": "Views" });
  private readonly controls: HTMLElement[];

  constructor() {
    const refresh = button("Refresh", () => this.again(), { title: "Ask for newer data" });
    const out = button("Sign out", () => this.signOut());
    const docs = docsLink("dashboard", "Help");
    this.controls = [this.apps, this.range, refresh, out];
    const skip = element("a", { href: "#main", class: "skip" }, "Skip to the content");
    skip.addEventListener("click", (event) => {
      event.preventDefault(); // the fragment has the choices of a profile's views
      this.main.focus();
    });
    const header = element("header", {}, element("h1", {}, "fieldprof"), this.apps, this.range, element("span", { class: "end" }, refresh, docs, out));
    document.body.replaceChildren(skip, header, this.nav, this.filters, this.main);
  }

  again: () => void = () => undefined;
  leave: () => void = () => undefined;

  /** A session that could not be ended goes on, and must not look as if it had. */
  private signOut() {
    void signOut().then(
      () => this.leave(),
      (error: unknown) => this.alone([failure(error, () => this.signOut())]),
    );
  }

  /** Follows the address. Controls that have the focus keep it. */
  follow(page: Page, apps: string[]) {
    const { state, go } = page;
    this.isOpen = true;
    const app = select("App", apps.map((name) => [name, name]), state.app, (app) => go({ ...viewOf(state, state.view), where: {}, app }));
    const focused = document.activeElement?.getAttribute("aria-label");
    this.apps.replaceChildren(app);
    this.range.replaceChildren(rangeOf(page));
    this.filters.replaceChildren(filtersOf(page));
    this.nav.replaceChildren(
      ...views.filter(({ isPart }) => !isPart).map(({ name, title, within }) => {
        const link = page.link(viewOf(state, name), title);
        if (name === state.view || within?.includes(state.view)) link.setAttribute("aria-current", "page");
        return link;
      }),
    );
    this.nav.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    if (focused) [...document.querySelectorAll<HTMLElement>("header select, header input")].find((control) => control.getAttribute("aria-label") === focused)?.focus();
  }

  /** Shows something without a selection: the form that asks for the token, for example. */
  alone(content: Content) {
    this.isOpen = false;
    this.main.replaceChildren(...content);
  }

  private set isOpen(isOpen: boolean) {
    for (const control of [...this.controls, this.nav, this.filters]) control.hidden = !isOpen;
  }

  /** Shows a view, and moves the focus to it if it is another than before. */
  show(title: string, content: Content, isOther: boolean) {
    const heading = element("h2", { tabindex: -1 }, title);
    this.main.replaceChildren(heading, ...content);
    document.title = `${title} – fieldprof`;
    if (!isOther) return;
    scrollTo(0, 0);
    heading.focus({ preventScroll: true });
  }
}

