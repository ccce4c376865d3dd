// A page or a worker as a source of live profiles: it obeys the server's start and stop,
// and sends what it records every quarter of a second, when the page has time.
import { builtin } from "../core/builtin";
import { later } from "../core/timers";
import { Client } from "./client";
import { follow } from "./life";
import { Profile, type Order } from "./profile";
import type { Hello, Means, Source, Welcome } from "./protocol";
import { canShare, describeSelf, inherit, isNameless, leave, type Pass } from "./self";
import { openSocket } from "./socket";

/** Between batches, in milliseconds; and how long a batch waits for an idle moment. */
const every = 250;
const patience = 200;
/** How often, and how many milliseconds apart, a page's title is waited for. */
const titleTries = 4;
const titleWait = 50;

const requestIdleCallback = builtin("requestIdleCallback");

/** Runs a task later, without anything reaching the page. */
function after(milliseconds: number, task: () => void) {
  later(() => {
    try {
      task();
    } catch {
      // The error does not concern the page.
    }
  }, milliseconds);
}

/** The state of a source that is shown. */
export interface State {
  isConnected: boolean;
  isRecording: boolean;
  samples: number;
  /** Why there is no connection, if the server said. */
  why: string;
}

export class LiveSource implements Source {
  private readonly client: Client;
  private profile: Profile | undefined;
  private samples = 0;
  private why = "";
  private readonly predecessor: string | undefined;

  constructor(
    url: string,
    private readonly pass: Pass,
    /** Called whenever the state changes. */
    private readonly show: (state: State) => void,
  ) {
    const means: Means = { connect: (events) => openSocket(url, events), after };
    this.client = new Client(means, this);
    const legacy = inherit();
    this.predecessor = legacy?.id;
    if (legacy?.interval) this.begin(1, legacy);
    follow({
      leave: () => this.leave(),
      come: () => this.come(),
      pause: () => this.send(),
      wake: () => this.client.reconnect(),
    });
    this.client.open();
  }

  /** Asks the server to start or stop this source. */
  toggle() {
    this.client.say(this.profile ? { type: "stop" } : { type: "start", interval: 10 });
  }

  // --- the client's questions and messages --------------------------------------

  hello(say: (hello: Hello) => void, tries = titleTries) {
    if (tries && isNameless()) return after(titleWait, () => this.hello(say, tries - 1));
    const { profile } = this;
    const going = profile && { recording: profile.number, interval: profile.interval, clock: profile.clock };
    say({ ...describeSelf(this.pass, this.predecessor), ...going });
  }

  welcome(welcome: Welcome) {
    this.why = "";
    if (welcome.profile) this.start(welcome);
    else this.stop();
    this.tell();
  }

  start(order: Order) {
    if (!order.profile || order.profile === this.profile?.number) return;
    this.stop();
    this.begin(order.profile, order);
    this.tell();
  }

  stop() {
    const { profile } = this;
    this.profile = undefined;
    for (const batch of profile?.end() ?? []) this.client.add(batch);
    this.tell();
  }

  lost(why: string) {
    this.why = why || this.why;
    this.tell();
  }

  // --- a profile ------------------------------------------------------------------

  private begin(number: number, order: Order) {
    const profile = (this.profile = new Profile(number, order, canShare));
    this.samples = 0;
    const soon = () => after(every, () => this.profile === profile && whenIdle(next));
    const next = () => {
      if (this.profile !== profile) return;
      soon();
      this.send();
    };
    soon();
  }

  /** Sends what is new. */
  private send() {
    for (const batch of this.profile?.take() ?? []) {
      this.samples += batch.samples.stack.length;
      this.client.add(batch);
    }
    this.tell();
  }

  private tell() {
    this.show({ isConnected: this.client.isWelcome, isRecording: !!this.profile, samples: this.samples, why: this.why });
  }

  // --- the page goes and comes ------------------------------------------------------

  private leave() {
    this.send();
    this.profile?.rest();
    this.client.close("left");
    leave({ interval: this.profile?.interval, clock: this.profile?.clock });
  }

  private come() {
    inherit(); // nothing: this page goes on itself
    this.profile?.note("time: the page was left, and is back");
    this.client.open();
  }
}

/** Runs a task when the page has time, or soon. */
function whenIdle(task: () => void) {
  if (!requestIdleCallback) return task();
  requestIdleCallback(
    () => {
      try {
        task();
      } catch {
        // The error does not concern the page.
      }
    },
    { timeout: patience },
  );
}
