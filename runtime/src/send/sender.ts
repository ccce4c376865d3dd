// Decides when a session is profiled: on which routes, with whose consent, while the page
// is there to be seen.
import { Asking } from "./asking";
import { Chunks } from "./chunks";
import { Headings } from "./heading";
import type { Settings } from "./options";
import type { PageOptions } from "../recording/sessions";
import { Outbox } from "./outbox";
import { isDear, isShown, watch, watchNetwork } from "./presence";
import { follow } from "./routes";
import type { Session } from "./session";
import { Slices, type Load } from "./slices";
import type { Maker } from "./maker";

/** The budgets of the senders that profile. */
const budgets = new Set<{ readonly percent: number }>();
/** What they have set. */
let set: number | undefined;

/**
 * Bounds what profiles of this page may cost, unless the page has, until the returned function is called. Of several
 * senders the strictest counts. The browser's own profiles are not ours to bound.
 */
function limit(percent: number): () => void {
  const { options } = (globalThis.__fieldprof?.tape ?? {}) as { options?: PageOptions };
  if (!options || percent === Infinity) return () => {};
  const apply = () => {
    if (options.maxOverhead !== undefined && options.maxOverhead !== set) return; // the page's own
    set = budgets.size ? Math.min(...[...budgets].map(({ percent }) => percent)) : undefined;
    if (set === undefined) delete options.maxOverhead;
    else options.maxOverhead = set;
  };
  const budget = { percent };
  budgets.add(budget);
  apply();
  return () => {
    budgets.delete(budget);
    apply();
  };
}

export class Sender {
  private readonly asking: Asking;
  private readonly outbox: Outbox;
  private readonly maker: Maker;
  private ended = false;
  private unlimit = () => {};
  private unwatch: (() => void)[] = [];

  constructor(
    private readonly settings: Settings,
    private readonly session: Session,
    load: Load,
  ) {
    const headings = new Headings(settings, session);
    this.asking = new Asking(settings.consent);
    this.outbox = new Outbox(settings, session, this.asking, () => this.maker.finish());
    this.maker = settings.slices ? new Slices(settings, headings, this.outbox, load) : new Chunks(settings, headings, this.outbox, () => this.mayBegin());
  }

  /** Starts to follow the page, if any route of it may be profiled. */
  start() {
    if (this.session.draw >= this.settings.highest) return this.keepChoice();
    const update = () => this.update();
    this.unwatch = [
      watch({ leave: () => this.leave(), come: () => this.come() }),
      watchNetwork(update, () => this.outbox.wake()),
      follow(update),
    ];
    this.update();
    if (!this.mayBegin()) this.keepChoice(); // else it is kept as profiling begins
  }

  /** As update; also the answer to whether there is consent may have changed. */
  askAgain() {
    this.update(true);
    if (!this.mayBegin()) this.keepChoice();
  }

  /**
   * Also a session that is not in, or not in here, keeps its choice, if it may: if each of its pages drew anew, more sessions
   * than the rate says would be in sooner or later.
   */
  private keepChoice() {
    const { session, settings } = this;
    if (session.kept || settings.highest === 0 || this.ended) return;
    void this.asking.consents().then((consents) => consents && session.save());
  }

  /** Starts or ends profiling as things are now; again asks for consent even if an answer is awaited. */
  update(again?: boolean) {
    const { maker } = this;
    if (!this.mayRecord()) maker.finish();
    else if (maker.active) maker.moved();
    else if (isShown()) this.begin(again);
  }

  /**
   * Whether anything may be recorded here and now, apart from consent. Must be checked
   * again after each wait: the page may have moved on.
   */
  private mayRecord(): boolean {
    const { rate } = this.settings.rateOf(location.pathname);
    return !this.ended && !this.maker.ended && !this.outbox.full && this.session.draw < rate && !isDear();
  }

  private mayBegin(): boolean {
    return this.mayRecord() && isShown();
  }

  private begin(again?: boolean) {
    this.asking.ask(location.pathname, !!again, () => {
      this.session.save();
      if (this.maker.active || !this.mayBegin()) return;
      this.unlimit();
      this.unlimit = limit(this.settings.maxOverhead);
      this.maker.begin();
    });
  }

  get active() {
    return this.maker.active;
  }

  /** Sends what there is, and resolves when it is sent or dropped. */
  async flush() {
    this.maker.flush();
    await this.outbox.empty();
  }

  /** Ends profiling. */
  async stop() {
    this.ended = true;
    for (const unwatch of this.unwatch.splice(0)) unwatch();
    if (!isShown()) this.awaitReturn();
    this.maker.finish();
    this.unlimit();
    await this.outbox.empty();
  }

  private leave() {
    this.hurry(true);
    this.maker.leave();
  }

  private come() {
    this.hurry(false);
    this.update();
  }

  /** This has ended, but others may profile the page when it is shown again, and are in no hurry. */
  private awaitReturn() {
    const unwatch = watch({
      leave() {},
      come: () => {
        unwatch();
        this.hurry(false);
      },
    });
  }

  /** Whether nothing must wait for the network, since the page may be gone. */
  private hurry(on: boolean) {
    this.outbox.hurry(on);
    const { __fieldprof } = globalThis;
    if (__fieldprof) __fieldprof.hurry = on;
  }
}
