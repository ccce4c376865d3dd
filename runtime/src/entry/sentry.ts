// Whole chunks from Sentry's SDK. It starts a Profiler every minute, asks for 3,000
// samples at 10 ms, which is half a minute, and does not listen for samplebufferfull: the
// second half of every minute is lost. This integration gives its Profiler enough room:
//
//	Sentry.init({
//	  integrations: [wholeChunks(), Sentry.browserProfilingIntegration()],
//	  …
//	});

interface ProfilerOptions {
  sampleInterval: number;
  maxBufferSize: number;
}

type Constructor = new (options: ProfilerOptions) => object;

/** The options that the SDK asks for. Profilers that others ask for are left alone. */
const asked: ProfilerOptions = { sampleInterval: 10, maxBufferSize: 3000 };

/** Samples for 66 seconds, the longest chunk that Sentry accepts. Ticks are random, so some minutes have more than 6,000. */
const room = 6600;

let widened: Constructor | undefined;

function widen(): void {
  const { Profiler } = globalThis as { Profiler?: Constructor };
  if (typeof Profiler !== "function" || Profiler === widened) return;
  widened = new Proxy(Profiler, {
    construct(target, args, newTarget) {
      const [options] = args as [ProfilerOptions?];
      const isSDK = options?.sampleInterval === asked.sampleInterval && options.maxBufferSize === asked.maxBufferSize;
      try {
        return Reflect.construct(target, isSDK ? [{ ...asked, maxBufferSize: room }] : args, newTarget) as object;
      } finally {
        widen(); // the runtime replaces a browser's Profiler that refuses
      }
    },
  });
  Reflect.defineProperty(globalThis, "Profiler", { value: widened, writable: true, configurable: true });
}

/** An integration for Sentry.init. */
export function wholeChunks(): { name: string; setupOnce(): void } {
  return { name: "FieldprofWholeChunks", setupOnce: widen };
}
