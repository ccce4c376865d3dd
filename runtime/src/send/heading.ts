// The page, the session and the browser, as every envelope has them.
import { makeID } from "../core/identity";
import { cleanURL } from "../trace/clean";
import type { Envelope } from "./envelope";
import { browserOf, connectionOf, deviceOf, type Hints } from "./environment";
import type { Settings } from "./options";
import type { Session } from "./session";

const { location, navigator } = globalThis;

/** Where the page is. */
export interface Place {
  readonly page: string;
  readonly route?: string;
  readonly rate: number;
}

/** Envelopes that are numbered together. */
export interface Series {
  readonly view: string;
  count: number;
}

export class Headings {
  private begun = false;

  constructor(
    private readonly settings: Settings,
    private readonly session: Session,
  ) {}

  /** A new series. The first has the id of the page view, another has its own. */
  series(): Series {
    const view = this.begun ? makeID() : this.session.view;
    this.begun = true;
    return { view, count: 0 };
  }

  place(): Place {
    const { rate, route } = this.settings.rateOf(location.pathname);
    return { page: this.page(), route, rate };
  }

  private page(): string {
    const { page } = this.settings;
    try {
      return cleanURL(String(page ? page(location) : location.origin + location.pathname));
    } catch {
      return "";
    }
  }

  /** The next envelope of a series, without what is in it. It began at a time by performance.now(). */
  next(series: Series, { page, route, rate }: Place, began: number): Envelope {
    const hints = (navigator || {}) as Hints;
    return {
      version: 1, session: this.session.id, view: series.view, page, route, release: this.settings.release,
      rate, browser: browserOf(hints), device: deviceOf(hints), connection: connectionOf(hints), labels: this.settings.labels,
      chunk: series.count++, started: Date.now() - (performance.now() - began), origin: performance.timeOrigin,
    };
  }
}
