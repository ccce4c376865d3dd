// Runs prologues where the runtime is missing and tells what came of it: a line
// for each script and place, of what was loaded and what the check did.
import vm from 'node:vm';

const { scripts, bodies } = JSON.parse(await read(process.stdin));

const taken = [];
const runtime = () => ({
  flag: Object.assign([1, 0], { c: { c(kind) { taken.push(kind % 3); } } }), // leaves have kinds of their own
  entry() { taken.push(0); },
  loop() { taken.push(1); },
  exit(value) { taken.push(2); return value; },
});

// places where a script may find itself: their importScripts, if any.
const places = {
  page: undefined,
  worker: (context, url) => { context.__fieldprof = runtime(); loaded.push(url); },
  'module worker': () => { throw new TypeError('no importScripts in module workers'); },
  'worker with the wrong URL': (_, url) => { loaded.push(url); },
  'not a function': 1,
};
let loaded = [];

for (const [name, code] of Object.entries(scripts)) {
  for (const [place, load] of Object.entries(places)) {
    const context = vm.createContext({});
    if (load) context.importScripts = typeof load === 'function' ? (url) => { load(context, url); } : load;
    tell(name, place, () => vm.runInContext(code, context));
  }
  const context = vm.createContext({ __fieldprof: runtime(), importScripts() { throw new Error('loaded again'); } });
  tell(name, 'loaded before', () => vm.runInContext(code, context));
}

const requires = {
  found: (url) => { loaded.push(url); return runtime(); },
  empty: (url) => { loaded.push(url); return {}; },
  missing: () => { throw new Error('cannot find module'); },
};
for (const [name, code] of Object.entries(bodies)) {
  for (const [place, require] of Object.entries(requires)) {
    tell(name, place, () => new Function('require', code)(require));
  }
  tell(name, 'no require', () => new Function(code)());
}

function tell(name, place, run) {
  taken.length = 0;
  loaded = [];
  let outcome;
  try {
    outcome = String(run());
  } catch (e) {
    outcome = `threw ${e}`;
  }
  process.stdout.write(`${name}, ${place}: ${outcome}, loaded [${loaded}], took [${taken}]\n`);
}

async function read(stream) {
  let text = '';
  stream.setEncoding('utf8');
  for await (const chunk of stream) text += chunk;
  return text;
}
