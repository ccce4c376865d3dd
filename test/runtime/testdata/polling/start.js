/* fieldprof: off file */
// Gives the ticks of functions, by name.
window.measured = async () => {
  const ours = await import('/fieldprof/trace.js');
  const recording = ours.record({ interval: 10, limit: 1e6, clock: 'poll', seed: 5 });
  work(1000); // learns the steps of the clock
  clock.reading = 0.002;
  work(12_000);
  clock.reading = 0;
  recording.stop();
  const { nodes } = await ours.cpuprofile(recording);
  const ticks = {};
  for (const { callFrame, hitCount } of nodes) ticks[callFrame.functionName] = (ticks[callFrame.functionName] ?? 0) + hitCount;
  return ticks;
};
