// The dashboard: it shows what the address of the page says, and follows it.
import { element } from "../../../profile/report/src/text";
import { ApiError, ask, signIn } from "./api";
import type { LabelValues } from "./answers";
import { noApps } from "./hints";
import { failure, type Content, type Page } from "./parts";
import { Shell } from "./shell";
import { signInForm } from "./signin";
import { addressOf, choosing, stateOf, type State } from "./state";
import { views } from "./views";

class Dashboard {
  private readonly shell = new Shell();
  private shown = new AbortController();
  private apps: string[] = [];
  private last: State | undefined;
  private labels: { of: string; are: Promise<LabelValues[]> } | undefined;

  constructor() {
    this.shell.again = () => {
      this.labels = undefined;
      this.show();
    };
    this.shell.leave = () => this.signIn();
    addEventListener("popstate", () => this.isOther && this.show());
    addEventListener("hashchange", () => void this.enter());
    document.addEventListener("click", (event) => this.follow(event));
    void this.begin();
  }

  private async begin() {
    if (!(await this.enter())) await this.open();
  }

  /** Signs in with the token of a link that the collector has printed. It must not stay in the address, nor in the history. */
  private async enter(): Promise<boolean> {
    const token = new URLSearchParams(location.hash.slice(1)).get("token");
    if (!token) return false;
    history.replaceState(null, "", location.pathname + location.search);
    await signIn(token).catch(() => undefined); // if it is wrong, the form asks for another
    await this.open();
    return true;
  }

  /** Asks which apps there are, and at the same time for what the address says. */
  private async open() {
    const state = stateOf(location.search);
    if (state.app) {
      this.apps = [state.app];
      this.show();
    } else this.shell.alone([element("p", { class: "waiting", role: "status" }, "Loading …")]);
    try {
      const { apps } = await ask<{ apps: string[] | null }>("apps", new URLSearchParams());
      this.apps = apps ?? [];
      if (this.apps.length === 0) return this.shell.alone([noApps()]);
      if (!state.app) this.put({ ...state, app: this.apps[0] });
      if (!state.app) this.show();
      else if (this.last) this.shell.follow(this.pageOf(this.last), this.apps);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) this.signIn();
      else this.shell.alone([failure(error, () => void this.open())]);
    }
  }

  /** The fragment may change without the rest: it has the choices of a profile's views. */
  private get isOther(): boolean {
    return !this.last || addressOf(stateOf(location.search)) !== addressOf(this.last);
  }

  private show() {
    this.shown.abort();
    this.shown = new AbortController();
    const state = stateOf(location.search);
    const before = this.last;
    this.last = state;
    const page = this.pageOf(state);
    this.shell.follow(page, this.apps);
    const view = views.find(({ name }) => name === state.view) ?? views[0];
    const content: Content = view.show(page);
    this.shell.show(view.title, content, before !== undefined && before.view !== state.view);
    document.documentElement.dataset.view = view.name;
  }

  private pageOf(state: State): Page {
    const go = (next: State) => this.go(next);
    return {
      state,
      signal: this.shown.signal,
      labels: this.labelsOf(state),
      go,
      note: (more) => this.put(choosing(this.last ?? state, more)),
      link: (next, ...content) => element("a", { href: addressOf(next) }, ...content),
      signIn: () => this.signIn(),
    };
  }

  /** They are the same for all views and filters of a range. */
  private labelsOf({ app, from, to }: State): Promise<LabelValues[]> {
    const words = new URLSearchParams({ app, from, to });
    if (this.labels?.of !== String(words)) {
      const are = ask<{ labels: LabelValues[] | null }>("values", words).then(({ labels }) => (labels ?? []).filter(({ values }) => values?.length));
      are.catch(() => (this.labels = undefined)); // the parts that need them say so
      this.labels = { of: String(words), are };
    }
    return this.labels.are;
  }

  /** Another selection keeps the tab and the search of a profile. */
  private go(state: State) {
    history.pushState(null, "", addressOf(state) + (state.view === this.last?.view ? location.hash : ""));
    this.show();
  }

  private put(state: State) {
    history.replaceState(null, "", addressOf(state) + location.hash);
    this.last = state;
  }

  /** Links of the dashboard open in place, unless a new tab or window is asked for. */
  private follow(event: MouseEvent) {
    const link = (event.target as Element).closest?.("a");
    const href = link?.getAttribute("href") ?? "";
    if (!href.startsWith("?") || link?.target || event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    this.go(stateOf(href));
  }

  /** Several answers may say at once that there is no session. */
  private signIn() {
    if (document.querySelector("form.signin")) return;
    this.shown.abort();
    this.labels = undefined;
    document.title = "Sign in – fieldprof";
    this.shell.alone([signInForm(() => void this.open())]);
  }
}

new Dashboard();
