// Served from another origin.
function farSpins(milliseconds) {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
}

function farCalls(act) {
  return act();
}

/** In a task of its own, profiled by itself: nothing else is on the stack. */
function farProfiles() {
  return new Promise((resolve) => {
    setTimeout(async () => {
      const profiler = new Profiler({ sampleInterval: 10, maxBufferSize: 1000 });
      farSpins(250);
      resolve(await profiler.stop());
    });
  });
}
