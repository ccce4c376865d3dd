// Runs the choosers of a page (argument 1, made with the rate in argument 2) in
// sessions of every sort, as a browser would: no DOM, but all that they touch.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import vm from 'node:vm';

const page = readFileSync(process.argv[2], 'utf8');
const rate = Number(process.argv[3]);
const choosers = [...page.matchAll(/<script>(.*?)<\/script>/g)].map((match) => match[1]);
assert.equal(choosers.length, 2, 'one that decides and one for the script');

const runtime = '<script src="./fieldprof/profiled/fieldprof/runtime.js"></script>';
const variant = '<script defer src="./fieldprof/profiled/app.js"></script><script type=fieldprof>';

// The window of all visits; a new one for each would take its time.
let session;
const window = vm.createContext({ document: {} });
window.window = window;
vm.runInContext('Math', window).random = () => (session.draws++, session.draw);
Object.defineProperty(window, 'sessionStorage', {
  get() {
    if (session.noStorage) throw new Error('SecurityError');
    return {
      getItem: (key) => session.storage.get(key) ?? null,
      setItem(key, value) {
        if (session.full) throw new Error('QuotaExceededError');
        session.storage.set(key, String(value));
      },
    };
  },
});
const scripts = choosers.map((text) => new vm.Script(text));

// One page of a session. A session has the draw of Math.random, and storage.
function visit({ draw = 0, storage = new Map(), search = '', connection, consent, readyState = 'loading', forbidden, noStorage, full, nonce } = {}) {
  const seen = { written: [], removed: 0, storage };
  session = { draw, draws: 0, storage, noStorage, full };
  window.location = { search };
  window.navigator = connection ? { connection } : {};
  window.fieldprofConsent = consent;
  window.document = {
    readyState,
    currentScript: { nonce, remove: () => seen.removed++ },
    write(text) {
      if (forbidden) throw new TypeError('This document requires a TrustedHTML assignment');
      seen.written.push(text);
    },
  };
  for (const script of scripts) script.runInContext(window);
  return { ...seen, draws: session.draws, sampled: window.fieldprofSampled };
}

function isClean(seen, what) {
  assert.equal(seen.sampled, false, what);
  assert.deepEqual(seen.written, [], what);
}

function isProfiled(seen, what) {
  assert.equal(seen.sampled, true, what);
  assert.deepEqual(seen.written, [runtime, variant], what);
}

const below = rate * (1 - 2 ** -40); // the highest draw that is chosen, or nearly
const connection = { saveData: true };

isProfiled(visit({ draw: 0 }), 'the lowest draw');
isProfiled(visit({ draw: below }), 'just below the rate');
if (rate < 1) isClean(visit({ draw: rate }), 'a draw of the rate itself');
assert.equal(visit().removed, 2, 'choosers take themselves out');

// The share of sessions is that of draws below the rate.
const sessions = 1000;
let sampled = 0;
for (let i = 0; i < sessions; i++) if (visit({ draw: (i + 0.5) / sessions }).sampled) sampled++;
assert.equal(sampled, Math.round(rate * sessions), 'the share over evenly spread draws');

// A session sticks to what it chose, and draws once.
for (const draw of [0, 1 - 2 ** -53]) {
  const storage = new Map();
  const first = visit({ draw, storage });
  for (const next of [0, 1 - 2 ** -53]) {
    const again = visit({ draw: next, storage, connection });
    assert.equal(again.sampled, first.sampled, 'sticks');
    assert.equal(again.draws, 0, 'does not draw again');
  }
}

// The address insists, and the session remembers.
const late = 1 - 2 ** -53;
for (const search of ['?fieldprof=1', '?a=b&fieldprof=1', '?fieldprof=1&a=b']) {
  const storage = new Map();
  isProfiled(visit({ draw: late, search, storage }), search);
  isProfiled(visit({ draw: late, storage }), 'after ' + search);
  isClean(visit({ search: '?fieldprof=0', storage }), 'insists on clean');
  isClean(visit({ storage }), 'after that');
}
for (const search of ['?xfieldprof=0', '?fieldprof=', '?fieldprof=2', '?fieldprof=01', '?fieldprof']) {
  isProfiled(visit({ search }), `${search} says nothing`);
}

// Without storage nothing throws, and only the address makes a session sampled.
isClean(visit({ noStorage: true }), 'no storage');
isClean(visit({ full: true }), 'full storage');
isProfiled(visit({ noStorage: true, search: '?fieldprof=1' }), 'no storage, but the address insists');
isClean(visit({ storage: new Map([['fieldprof', 'junk']]) }), 'junk in storage');

// Connections that should not carry more.
for (const connection of [{ saveData: true }, { effectiveType: '2g' }, { effectiveType: 'slow-2g' }]) {
  isClean(visit({ connection }), JSON.stringify(connection));
  isProfiled(visit({ connection, search: '?fieldprof=1' }), 'the address insists');
}
isProfiled(visit({ connection: { saveData: false, effectiveType: '4g' } }), '4g');

// Without consent nothing is stored either; with it, or where nobody asks, the
// session draws.
for (const search of ['', '?fieldprof=1']) {
  const refused = visit({ consent: false, search });
  isClean(refused, 'no consent');
  assert.equal(refused.storage.size, 0, 'nothing is stored without consent');
  assert.equal(refused.draws, 0);
}
isProfiled(visit({ consent: true }), 'consent');

// Where nothing can be written the page is clean, and after loading nothing is
// written: document.write would begin a new page.
isClean(visit({ forbidden: true }), 'Trusted Types');
for (const readyState of ['interactive', 'complete']) assert.deepEqual(visit({ readyState }).written, [], readyState);

// The nonce is the chooser's own.
assert.deepEqual(visit({ nonce: 'r4nd0m' }).written, [runtime.replace('></', ' nonce="r4nd0m"></'), variant.replace('></', ' nonce="r4nd0m"></')]);

// XML takes < and & for its own, and old browsers know no new syntax.
for (const text of choosers) assert.doesNotMatch(text, /[<&`]|=>|\b(let|const)\b/);

// One test with real chance; the bounds are ten standard deviations away.
const many = 20000;
let chosen = 0;
for (let i = 0; i < many; i++) if (visit({ draw: Math.random() }).sampled) chosen++;
const deviation = Math.sqrt(many * rate * (1 - rate));
assert.ok(Math.abs(chosen - many * rate) <= 10 * deviation, `${chosen} of ${many} sessions at a rate of ${rate}`);
