// When the collector stopped the program. Node tells, browsers do not; and it
// tells a turn of the event loop later, so a pause may show only then.

/** Pauses that are remembered. */
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

  /** Those so far, in order. */
  get(): [number, number][] {
    if (this.observer) this.add(this.observer.takeRecords());
    return this.windows;
  }

  /** Later: what is over may not have been told yet. */
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
