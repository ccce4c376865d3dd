// When the collector stopped the program. Node reports it, a turn of the event loop
// later; browsers do not.

/** How many pauses are remembered. */
const most = 1 << 16;

export class Pauses {
  readonly windows: [number, number][] = [];
  private observer: PerformanceObserver | undefined;

  start() {
    const { PerformanceObserver } = globalThis;
    if (this.observer || !PerformanceObserver?.supportedEntryTypes?.includes("gc")) return;
    this.observer = new PerformanceObserver((list) => this.add(list.getEntries()));
    this.observer.observe({ entryTypes: ["gc"] });
  }

  /** The pauses so far, in order. */
  get(): [number, number][] {
    if (this.observer) this.add(this.observer.takeRecords());
    return this.windows;
  }

  /** Stops a little later: the last pauses may not have been reported yet. */
  stop() {
    const { observer } = this;
    this.observer = undefined;
    if (!observer) return;
    const end = () => {
      this.add(observer.takeRecords());
      if (observer !== this.observer) observer.disconnect();
    };
    (setTimeout(end, 100) as { unref?(): void }).unref?.();
  }

  private add(entries: PerformanceEntryList) {
    for (const { startTime, duration } of entries) this.windows.push([startTime, startTime + duration]);
    if (entries.length > 0) this.windows.sort((a, b) => a[0] - b[0]);
    if (this.windows.length > most) this.windows.splice(0, this.windows.length - most);
  }
}
