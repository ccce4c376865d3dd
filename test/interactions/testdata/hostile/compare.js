// Runs each case twice, with observe() and without, and says where they differ.

/** Ends a case that hangs, in milliseconds. */
const patience = 240_000;

/** Loads a case in a frame and gives what it posts. */
async function run(origin, seed, observed) {
  const frame = document.createElement('iframe');
  frame.src = `${origin}/case.html?seed=${seed}&observed=${observed}`;
  let hear;
  const told = new Promise((done) => {
    hear = ({ data }) => data?.id === `${seed} ${observed}` && done(data);
    addEventListener('message', hear);
  });
  let timer;
  const late = new Promise((done) => (timer = setTimeout(() => done({ log: ['it hangs'], problems: [] }), patience)));
  document.body.append(frame);
  const data = await Promise.race([told, late]);
  clearTimeout(timer);
  removeEventListener('message', hear);
  frame.remove();
  return data;
}

/** The faults of the cases of these seeds, each as a line. */
async function faults(origins, seeds) {
  const found = [];
  const progress = { slices: 0, unknown: 0, cases: 0 };
  for (const seed of seeds) {
    const origin = origins[seed % origins.length];
    const plain = await run(origin, seed, 0);
    const observed = await run(origin, seed, 1);
    const told = [...observed.problems];
    const [was, is] = [plain, observed].map(({ log }) => log.toSorted());
    if (was.join('\n') !== is.join('\n')) {
      const only = (list, other) => list.filter((line) => !other.includes(line));
      told.push(`it differs: only with it ${JSON.stringify(only(is, was).slice(0, 3))}, only without ${JSON.stringify(only(was, is).slice(0, 3))}, ${is.length} and ${was.length} lines`);
    }
    for (const problem of told) found.push(`seed ${seed}: ${observed.what}: ${problem}`);
    progress.cases++;
    progress.slices += observed.slices ?? 0;
    progress.unknown += observed.unknown ?? 0;
  }
  return { found, ...progress };
}

/** Runs some cases; result says when they are done. */
window.begin = (origins, seeds) => {
  window.result = undefined;
  faults(origins, seeds).then(
    (result) => (window.result = result),
    (error) => (window.result = { found: [String(error)] }),
  );
};
window.ready = true;
