// The work of the page whose overhead is measured, and how it is recorded. Every task does
// the same amount, and no task is slow.

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

function branch(depth, turn) {
  const list = Array.from({ length: 20 }, (_, i) => (i * 7919 + turn) % 101);
  list.sort((a, b) => a - b);
  if (depth === 0) return leaf(turn);
  return branch(depth - 1, turn + list[0]) + (turn % 3 ? 0 : leaf(depth));
}

function task() {
  let sum = 0;
  for (let i = 0; i < 30; i++) sum += branch(12, i);
  return sum;
}

/** Does so many tasks, with so many milliseconds between them. */
async function work(tasks, pause) {
  for (let i = 0; i < tasks; i++) {
    await new Promise((done) => setTimeout(done, pause));
    task();
  }
}

const button = document.getElementById('button');
button.addEventListener('click', () => {
  button.textContent = String(task());
});

const rest = (ms) => new Promise((done) => setTimeout(done, ms));

let ending;
async function running() {
  while (!__fieldprof.tape.sessions.length) await rest(10);
  await rest(500);
}

async function begin() {
  const profiler = new Profiler({ sampleInterval: 10, maxBufferSize: 1e6 });
  ending = () => profiler.stop();
  await running();
}

async function observed() {
  const observing = observe({ sampleInterval: 10 });
  ending = () => observing.stop();
  await running();
}

/** Until nothing is recorded. */
async function end() {
  await ending();
  while (__fieldprof.tape.sessions.length) await rest(10);
  await rest(300);
}
