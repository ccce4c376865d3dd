/* fieldprof: off file */
// Each frame lays the whole page out anew; the task after it does next to nothing.
// Gives the ticks of the function that the task has checked, and the time of rendering in ticks.
window.measured = async (clock) => {
  const ours = await import('/fieldprof/trace.js');
  const recording = ours.record({ interval: 2, limit: 1e6, clock });
  let rendering = 0;
  for (let i = 0; i < 25; i++) {
    const began = await new Promise(requestAnimationFrame);
    root.style.fontSize = `${10 + (i % 7)}px`;
    const before = performance.now();
    await new Promise((next) => {
      const { port1, port2 } = new MessageChannel();
      requestAnimationFrame(() => port2.postMessage(0)); // after this frame
      port1.onmessage = () => {
        port1.close();
        rendering += performance.now() - before;
        root.dispatchEvent(new Event('press'));
        next(began);
      };
    });
  }
  recording.stop();
  const { nodes } = await ours.cpuprofile(recording);
  const hits = (name) => nodes.filter((n) => n.callFrame.functionName === name).reduce((sum, n) => sum + n.hitCount, 0);
  return { nearest: hits('nearest') + hits('find') + hits('dispatch'), rendering: rendering / 2, all: nodes.reduce((sum, n) => sum + n.hitCount, 0) };
};
