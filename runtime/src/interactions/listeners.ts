// Interactions where the browser does not report them: listeners on the window, first in
// the capture phase. Handlers have run when a message that was posted before them arrives;
// a picture was made when one that was posted before it arrives. An event that comes before
// the message says the same.
//
//	event        listener . handlers . . . .            frame callback . picture
//	timeStamp    from                        to         post             end
import { builtin } from "../core/builtin";
import { guarded, now } from "./guard";
import type { Source } from "./entries";
import type { Event as Seen, Groups } from "./groups";
import type { Latencies } from "./latencies";
import { nameOf, targetOf } from "./target";

const types = ["pointerdown", "pointerup", "click", "keydown", "keyup", "pointercancel"];
/** Events that wait for a picture. */
const most = 20;
/** Latencies below this are not events to Event Timing, in milliseconds. */
const least = 16;

const addEventListener = builtin("addEventListener")!;
const removeEventListener = builtin("removeEventListener")!;
const requestAnimationFrame = builtin("requestAnimationFrame")!;
const MessageChannel = builtin("MessageChannel")!;

const estimated = "exact times: this browser does not report interactions, so listeners measured it";

/** Numbers the interactions, by the events that belong together. */
class Numbers {
  private pointer = 0;
  private key = 0;
  private last = 0;

  of({ type, detail }: UIEvent): number {
    if (type === "keydown") return (this.key = ++this.last);
    if (type === "keyup") return this.key;
    if (type === "pointerdown") return (this.pointer = ++this.last);
    return type === "click" && detail === 0 ? this.key : this.pointer; // a key clicks, too
  }
}

export function listen(groups: Groups, latencies?: Latencies): Source[] {
  if (!requestAnimationFrame) return [];
  const numbers = new Numbers();
  let waiting: Seen[] = []; // for the next frame
  let drawn: Seen[] = []; // by a frame whose message is on its way
  const { port1, port2 } = new MessageChannel();
  const handled = () => {
    for (const event of waiting) event.to ||= now();
  };
  const shown = guarded(() => {
    const events = drawn;
    drawn = [];
    const end = now(); // one picture answers them all
    for (const event of events) {
      event.duration = end - event.start;
      latencies?.count(event.id, event.duration); // INP is of what browsers report
      if (event.duration >= least) groups.add(event);
    }
  });
  port1.onmessage = ({ data }) => (data === "shown" ? shown() : handled());
  const frame = () => {
    handled();
    drawn = [...drawn, ...waiting];
    waiting = [];
    port2.postMessage("shown");
  };
  const hear = guarded((event: Event) => {
    if (!event.isTrusted) return;
    const { type } = event;
    const id = numbers.of(event as UIEvent);
    if (type === "pointercancel") waiting = waiting.filter((other) => other.id !== id); // it became a scroll
    if (type === "pointercancel") return;
    if (waiting.length >= most) return groups.drop();
    handled(); // a click comes before the message of its pointerup
    shown();
    if (waiting.length === 0) requestAnimationFrame(frame);
    waiting.push({ id, type, target: nameOf(targetOf(event)), start: +event.timeStamp, duration: 0, from: now(), to: 0, unknown: [estimated] });
    port2.postMessage("handled");
  });
  const leave = () => (waiting = drawn = []); // a hidden page makes no pictures
  const options = { capture: true, passive: true };
  for (const type of types) addEventListener(type, hear, options);
  addEventListener("visibilitychange", leave, options);
  return [
    {
      end() {
        for (const type of types) removeEventListener(type, hear, options);
        removeEventListener("visibilitychange", leave, options);
        port1.close();
      },
    },
  ];
}
