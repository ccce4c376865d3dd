function workerSpins(milliseconds) {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
}

async function answer() {
  try {
    const profiler = new Profiler({ sampleInterval: 10, maxBufferSize: 1000 });
    workerSpins(300);
    postMessage({ trace: await profiler.stop() });
  } catch (error) {
    postMessage({ error: String(error) });
  }
}
await answer();
export {};
