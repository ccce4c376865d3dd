// The statements that a page makes about Profiler, and their outcomes.
var statements = [];

/** Adds a statement; it holds if act, which may be async, does not throw. */
function state(name, act) {
  statements.push({ name, act });
}

/**
 * Tries the statements one after another: [{name, fault}], fault empty where one
 * holds. Some are about a fifth of a second, in which a busy machine may run no
 * other thread; and in Firefox, under its driver, a worker falls silent now and
 * then for longer than that. So each may be tried again, but for those that are
 * known to fail.
 */
async function judge(known = []) {
  const outcome = [];
  for (const { name, act } of statements) {
    let faults = [];
    while (faults.length < (known.includes(name) ? 1 : 6)) {
      try {
        await act();
        faults = [];
        break;
      } catch (error) {
        faults.push(String((error && error.message) || error));
        await pause(1500); // by then a silent worker has been noticed
      }
    }
    outcome.push({ name, fault: faults.join('; again: ') });
  }
  return outcome;
}

function equal(got, want, what) {
  const [a, b] = [got, want].map((value) => (typeof value === 'number' ? String(value) : JSON.stringify(value)));
  if (a !== b) throw new Error((what ? what + ' is ' : 'got ') + a + ', want ' + b);
}

function holds(truth, what) {
  if (!truth) throw new Error(what);
}

/** Fails unless act throws, or rejects with, an error of this name. */
async function throws(name, act) {
  let result;
  try {
    result = await act();
  } catch (error) {
    return equal(error.name, name, 'the error');
  }
  throw new Error('gave ' + result + ' and no ' + name);
}

/** Keeps the thread busy, in a loop without a call of ours. */
function spin(milliseconds) {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const plenty = { sampleInterval: 10, maxBufferSize: Number.MAX_SAFE_INTEGER };

/** Profiles what act does with the function it is given, which spins. */
async function profile(act, options = plenty) {
  const profiler = new Profiler(options);
  await act(() => spin(250));
  return profiler.stop();
}

/** The stacks of a trace's samples, each a list of frames from the innermost outwards. */
function stacksOf(trace) {
  return trace.samples.map(({ stackId }) => {
    const frames = [];
    for (let id = stackId; id !== undefined; id = trace.stacks[id].parentId) frames.push(trace.frames[trace.stacks[id].frameId]);
    return frames;
  });
}

/** How many samples a trace has, and how it describes itself. */
const count = ({ samples, fieldprof }) => `${samples.length} samples ${JSON.stringify({ hidden: globalThis.document?.hidden, ...fieldprof, functions: undefined })}`;

const named = (trace, name) => trace.frames.filter((frame) => frame.name === name);

/** Where, in what is served at a URL, the ( stands that ends a text found there, but for where it is quoted. */
async function place(url, head) {
  const text = await (await fetch(url)).text();
  let at = text.indexOf(head);
  while (text[at - 1] === "'") at = text.indexOf(head, at + 1);
  holds(at >= 0, url + ' does not hold ' + head);
  const before = text.slice(0, at + head.length - 1).split('\n');
  return { line: before.length, column: before[before.length - 1].length + 1 };
}

/** A URL as a trace has it: ours without its query, the browser's own as it is. */
const told = (trace, url) => (trace.fieldprof ? url.replace(/[?#].*/, '') : url);

/** Fails unless a trace has a frame of this name that is defined where head says. */
async function defined(trace, name, url, head) {
  const resourceId = trace.resources.indexOf(told(trace, url));
  holds(resourceId >= 0, url + ' is not among ' + trace.resources);
  const { line, column } = await place(url, head);
  const found = trace.frames.map((frame) => [frame.name, frame.resourceId, frame.line, frame.column].join());
  holds(found.includes([name, resourceId, line, column].join()), `no ${name},${resourceId},${line},${column} among ${found.join(' ')}`);
}
