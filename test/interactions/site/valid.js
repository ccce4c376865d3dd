/* fieldprof: off file */
// Conditions that hold for every slice, whatever the page did.

const kinds = ['interaction', 'long-frame', 'long-task', 'load', 'navigation', 'mark'];
const groups = ['own', 'framework', 'third-party', 'native', 'gc', 'style', 'layout', 'paint', 'other', 'waiting'];

/** The most characters of a text that may come from the page, and of a slice as JSON. */
const longest = 1000;
const largest = 1e6;

/** Rounding of clocks: browsers round to a millisecond, and Event Timing to eight. */
const rounding = 16;

const isText = (text) => typeof text === 'string' && text.length <= longest;
const isTime = (time) => typeof time === 'number' && time >= 0 && time < 1e12;

/** The faults of a slice, its blame and its explanation. */
export function problems(slice, blame, text) {
  const found = [];
  const expect = (isTrue, what) => {
    if (!isTrue) found.push(what);
  };
  expect(kinds.includes(slice.what), `what is ${slice.what}`);
  expect(isText(slice.name), `name is ${String(slice.name).slice(0, 100)}`);
  expect(slice.target === undefined || isText(slice.target), `target is ${String(slice.target).slice(0, 100)}`);
  expect(isTime(slice.start) && isTime(slice.duration), `it starts at ${slice.start} and takes ${slice.duration}`);
  const parts = [slice.inputDelay, slice.processing, slice.presentation];
  expect(parts.every((part) => part === undefined || isTime(part)), `its parts are ${parts}`);
  if (parts.every(isTime)) expect(Math.abs(parts[0] + parts[1] + parts[2] - slice.duration) <= rounding, `its parts ${parts} do not make ${slice.duration}`);
  expect(Array.isArray(slice.unknown) && slice.unknown.every(isText), `unknown is ${JSON.stringify(slice.unknown)}`);
  traceProblems(slice, expect);
  blameProblems(slice, blame, expect);
  expect(isText(text) && text.length > 0 && !/[\n\r]/.test(text), `it is explained by ${JSON.stringify(text)}`);
  expect(JSON.stringify(slice).length <= largest, `it has ${JSON.stringify(slice).length} characters`);
  return found;
}

function traceProblems({ trace, what, start, duration }, expect) {
  const own = trace.fieldprof?.marks?.[0];
  expect(own && own.time === start && own.duration === duration, `its own mark is ${JSON.stringify(own)}, it is at ${start} for ${duration}`);
  expect(own?.what === (what === 'mark' ? 'measure' : what), `its own mark is a ${own?.what}, it is a ${what}`);
  // The last one may be the first after the end, which says what the rest of the time was.
  const outside = trace.samples.filter(({ timestamp }, i) => !(timestamp >= start - rounding && (timestamp <= start + duration + rounding || i === trace.samples.length - 1)));
  expect(outside.length === 0, `${outside.length} of ${trace.samples.length} samples are outside, one at ${outside[0]?.timestamp}; it is at ${start} for ${duration}`);
  const { stacks, frames, resources } = trace;
  const isStack = ({ frameId, parentId }, i) => frameId in frames && (parentId === undefined || parentId < i);
  expect(stacks.every(isStack), 'a stack is without a frame or before its parent');
  expect(trace.samples.every(({ stackId }) => stackId === undefined || stackId in stacks), 'a sample has a stack that is not there');
  expect(frames.every(({ resourceId }) => resourceId === undefined || resourceId in resources), 'a frame has a resource that is not there');
}

function blameProblems({ duration }, blame, expect) {
  const shares = Object.entries(blame.groups);
  expect(shares.every(([group, time]) => groups.includes(group) && isTime(time)), `groups are ${JSON.stringify(blame.groups)}`);
  const sum = shares.reduce((sum, [, time]) => sum + time, 0);
  expect(Math.abs(sum - duration) <= 1, `groups make ${sum} of ${duration}`);
  let last = Infinity;
  for (const { name, self, total, group } of blame.functions) {
    expect(isText(name) && isTime(self) && isTime(total) && self <= total + 0.001 && total <= duration + 1, `${name} has ${self} of ${total} in ${duration}`);
    expect(self <= last, `${name} with ${self} is after ${last}`);
    expect(groups.includes(group), `${name} is in ${group}`);
    last = self;
  }
}
