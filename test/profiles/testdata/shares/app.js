// Three functions do the same work, 6 : 3 : 1 times as much. A unit is one turn
// of a loop, so the shares hold whatever the speed of the machine.
let sum = 0;

function unit(turns) {
  let x = 1;
  for (let i = 0; i < turns; i++) x = (x * 1103 + 12345) % 65521;
  return x;
}

function six(turns) {
  let x = 1;
  for (let i = 0; i < 6 * turns; i++) x = (x * 1103 + 12345) % 65521;
  return x;
}

function three(turns) {
  let x = 1;
  for (let i = 0; i < 3 * turns; i++) x = (x * 1103 + 12345) % 65521;
  return x;
}

function one(turns) {
  let x = 1;
  for (let i = 0; i < turns; i++) x = (x * 1103 + 12345) % 65521;
  return x;
}

function round(turns) {
  sum += six(turns);
  sum += three(turns);
  sum += one(turns);
}

/** Turns of the loop that take about a millisecond: by the shortest of three, as machines stall. */
function calibrate() {
  for (let turns = 1000; ; turns *= 2) {
    let took = Infinity;
    for (let i = 0; i < 3; i++) {
      const began = performance.now();
      unit(turns);
      took = Math.min(took, performance.now() - began);
    }
    if (took > 20) return Math.ceil(turns / took);
  }
}

/** Works for some milliseconds in one task. */
function work(milliseconds) {
  const turns = Math.ceil(calibrate() / 5);
  for (const end = performance.now() + milliseconds; performance.now() < end;) round(turns);
  return sum;
}

/** Works in many tasks. */
async function workInTasks(milliseconds) {
  const turns = Math.ceil(calibrate() / 5);
  for (const end = performance.now() + milliseconds; performance.now() < end;) {
    for (let i = 0; i < 5; i++) round(turns);
    await new Promise((done) => setTimeout(done));
  }
  return sum;
}

/** One call, one loop, nothing called in it: whoever hoists the flag out of it never looks again. */
function hot(milliseconds) {
  const turns = Math.ceil(calibrate() * milliseconds);
  let x = 1;
  for (let i = 0; i < turns; i++) x = (x * 1103 + 12345) % 65521;
  return x;
}
