/* fieldprof: off file */
// The addition of a profiled session to the shop: observe(), and for the tests what it gave.
import { blame, explain, observe } from './interactions.js';
import { problems } from './valid.js';

/**
 * Loads a third party's script and web-vitals, where they are given, and observes: with
 * ticks alone, if that is asked for, which hides the browser's observers.
 */
window.begin = async ({ elsewhere, vitals, ticks, ...options } = {}) => {
  window.slices = [];
  window.notes = [];
  const onslow = (slice) => window.slices.push({ slice, blame: blame(slice), text: explain(slice), problems: problems(slice, blame(slice), explain(slice)) });
  window.longTasks = [];
  if (ticks) {
    new PerformanceObserver((list) => {
      for (const { startTime: start, duration } of list.getEntries()) window.longTasks.push({ start, duration });
    }).observe({ type: 'longtask' });
    window.PerformanceObserver = undefined;
  }
  window.observing = observe({ onslow, onnote: (note) => window.notes.push(note), ...options });
  if (vitals) (await import(vitals)).onINP(({ value }) => (window.inp = value), { reportAllChanges: true });
  if (elsewhere) {
    const script = Object.assign(document.createElement('script'), { src: elsewhere, crossOrigin: 'anonymous' });
    await new Promise((done, fail) => {
      script.onload = done;
      script.onerror = fail;
      document.head.append(script);
    });
  }
};

/** Where to click on a button, in the window. */
window.middle = (id) => {
  const { left, top, width, height } = document.getElementById(id).getBoundingClientRect();
  return [Math.round(left + width / 2), Math.round(top + height / 2)];
};

/** The slices since the last call. */
window.taken = () => window.slices.splice(0);

window.ready = true;
