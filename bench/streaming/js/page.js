// The work of the bench's page, and how it is recorded. Every task does the same amount.

let state = 1;
const chance = (below) => (state = (state * 1103515245 + 12345) % 2147483648) % below;

function mix(text, by) {
  let sum = 0;
  for (let i = 0; i < text.length; i++) sum = (sum * 31 + text.charCodeAt(i) * by) % 65521;
  return sum;
}

function leaf(depth) {
  let sum = 0;
  for (let i = 0; i < 40; i++) sum += mix('some text that is mixed with itself', depth + i);
  return sum;
}

function left(depth) {
  return depth ? branch(depth - 1) + 1 : leaf(depth);
}

function right(depth) {
  return depth ? branch(depth - 1) + branch(depth >> 1) : leaf(depth);
}

function sorted(depth) {
  const list = Array.from({ length: 50 }, () => chance(1000));
  list.sort((a, b) => a - b);
  return list[0] + (depth ? branch(depth - 1) : 0);
}

function branch(depth) {
  switch (chance(3)) {
    case 0:
      return left(depth);
    case 1:
      return right(depth);
  }
  return sorted(depth);
}

function task() {
  let sum = 0;
  for (let i = 0; i < 24; i++) sum += branch(12);
  return sum;
}

/** Does so many tasks, with so many milliseconds between them, or none. */
async function work(tasks, pause) {
  state = 1;
  const { port1, port2 } = new MessageChannel();
  for (let i = 0; i < tasks; i++) {
    await new Promise((done) => {
      if (pause) return setTimeout(done, pause);
      port1.onmessage = done;
      port2.postMessage(0);
    });
    task();
  }
  port1.close();
}

const rest = (ms) => new Promise((done) => setTimeout(done, ms));

/** Until the page is recorded, and the clock runs. */
async function recorded() {
  while (!__fieldprof.tape.sessions.length) await rest(10);
  await rest(500);
}

let profiler;
async function begin() {
  fieldprof.install({ prefer: 'polyfill' });
  profiler = new Profiler({ sampleInterval: 10, maxBufferSize: 1e6 });
  await recorded();
}

/** Until nothing is recorded. */
async function end() {
  await profiler?.stop();
  profiler = undefined;
  while (__fieldprof.tape.sessions.length) await rest(10);
  await rest(300);
}
