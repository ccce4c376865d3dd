// A performance timeline whose entries a test makes. It must be imported before what is
// tested, which keeps the real one from its load on.

const observers = new Set<FakeObserver>();
type Hear = (list: { getEntries(): object[] }) => void;

class FakeObserver {
  static supportedEntryTypes = ["event", "first-input", "longtask", "mark", "measure"];
  type = "";
  constructor(readonly hear: Hear) {}
  observe({ type }: { type: string }) {
    this.type = type;
    observers.add(this);
  }
  takeRecords() {
    return [];
  }
  disconnect() {
    observers.delete(this);
  }
}

class FakeElement {
  get localName() {
    return "button";
  }
  getAttribute(name: string) {
    return { id: "go", class: " a  b " }[name] ?? null;
  }
  closest() {
    return this;
  }
}

Object.assign(globalThis, {
  PerformanceObserver: FakeObserver,
  PerformanceEventTiming: class {
    get interactionId() {
      return 0;
    }
  },
  Element: FakeElement,
});
performance.getEntriesByType = () => [];

/** Delivers entries to those who observe their type. */
export function happens(type: string, ...entries: object[]) {
  for (const observer of observers) if (observer.type === type) observer.hear({ getEntries: () => entries });
}

/** An entry of Event Timing. */
export function event(interactionId: number, name: string, startTime: number, duration: number, processingStart: number, processingEnd: number) {
  return { interactionId, name, startTime, duration, processingStart, processingEnd, target: new FakeElement() };
}
