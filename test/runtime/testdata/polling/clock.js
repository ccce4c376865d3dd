// A simulated clock, which shows whole milliseconds. Each reading takes time, too.
window.clock = { ms: 1e5, reading: 0 };
performance.now = () => {
  clock.ms += clock.reading / 2;
  const shown = Math.floor(clock.ms);
  clock.ms += clock.reading / 2;
  return shown;
};
