// Mouse and fingers over a chart: one pans, two zoom; fingers scroll up and down as
// anywhere. The part below a finger stays below it.
import type { Range } from "./weights";

export interface Gripped {
  view(): Range;
  zoom(from: number, to: number): void;
  pan(view: Range, by: number): void;
  /** A click or a tap that was no gesture. */
  tap(event: MouseEvent, isTouch: boolean): void;
  /** After it nothing is gripped any more. */
  ended: AbortSignal;
}

/** Where a pointer is, and where it was when the gesture began, as parts of the width. */
interface Grip {
  x: number;
  began: number;
}

const still = 4; // pixels that are no gesture

export function grip(canvas: HTMLCanvasElement, { view, zoom, pan, tap, ended }: Gripped) {
  const grips = new Map<number, Grip>();
  let held: Range = [0, 1]; // the view at the beginning
  let [isTouch, isMoved] = [false, false];
  const part = ({ clientX }: MouseEvent) => (clientX - canvas.getBoundingClientRect().left) / canvas.clientWidth;
  const begin = () => {
    held = view();
    for (const grip of grips.values()) grip.began = grip.x;
  };
  canvas.addEventListener("pointerdown", (event) => {
    if (grips.size === 0) isMoved = false;
    isTouch = event.pointerType === "touch";
    grips.set(event.pointerId, { x: part(event), began: 0 });
    begin();
  });
  for (const end of ["pointerup", "pointercancel"] as const) {
    addEventListener(end, ({ pointerId }) => grips.delete(pointerId) && begin(), { signal: ended });
  }
  canvas.addEventListener("pointermove", (event) => {
    const grip = grips.get(event.pointerId);
    if (!grip) return;
    grip.x = part(event);
    isMoved ||= Math.abs(grip.x - grip.began) * canvas.clientWidth >= still;
    if (!isMoved) return;
    const [from, to] = held;
    if (grips.size === 1) return pan(held, (grip.began - grip.x) * (to - from));
    const [a, b] = [...grips.values()].sort((a, b) => a.began - b.began);
    const apart = Math.max(b.x - a.x, 0.01);
    const wide = ((b.began - a.began) / apart) * (to - from);
    const left = from + a.began * (to - from) - a.x * wide;
    if (wide > 0) zoom(left, left + wide);
  });
  canvas.addEventListener("click", (event) => isMoved || tap(event, isTouch));
  canvas.addEventListener(
    "wheel",
    (event) => {
      const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
      if (!sideways && !event.ctrlKey && !event.metaKey) return; // the page's own scrolling
      event.preventDefault();
      const [from, to] = view();
      if (sideways) return pan([from, to], (event.deltaX / canvas.clientWidth) * (to - from));
      const x = from + part(event) * (to - from);
      const by = Math.exp(event.deltaY / 200);
      zoom(x - (x - from) * by, x + (to - x) * by);
    },
    { passive: false },
  );
}
