// Raises a flag twice at once, a little later.
onmessage = ({ data: flag }) => {
  postMessage('ready');
  const clock = new Int32Array(new SharedArrayBuffer(4));
  Atomics.wait(clock, 0, 0, 150);
  Atomics.add(flag, 0, 2);
};
