// Events are added to the stack at hand.
function open(p, size) {
  p.event('open', size);
}

function events() {
  const p = new Profiler();
  p.start(1e9);
  for (const size of [1, 2, 3, 4]) open(p, size);
  p.event('click');
  for (let i = 0; i < 3; i++) p.event('turn');
  p.event('__proto__', 7);
  p.event('odd', 'no number');
  p.event('odd', {});
  Profiler.event('whoever profiles', 5);
  p.stop();
  p.event('too late');
  Profiler.event('too late');
  const r = p.results();
  sound(r);
  const [opened] = named(r, 'open');
  const { count, sum: total, min, max, average, variance, p50 } = opened.events.open;
  equal([count, total, min, max, average, variance], [4, 10, 1, 4, 2.5, 1.25], 'values');
  assert(Math.abs(p50 - 2) <= 0.02, 'the median is 2 within 1 %: ' + p50);
  assert(!('data' in opened), 'no data');
  const at = named(r, 'events').filter((c) => c.events).map((c) => c.events);
  equal(at[0], { click: { count: 1 } }, 'without a value');
  equal(at[1], { turn: { count: 3 } }, 'at one stack');
  equal(Object.keys(at[2]), ['__proto__'], 'any name');
  equal([at[3].odd, at[4].odd], [{ count: 1 }, { count: 1 }], 'values that are no numbers only count');
  equal(at[5]['whoever profiles'].max, 5, 'told to whoever profiles');
  assert(!JSON.stringify(r).includes('too late'), 'a stopped one hears nothing');
}

function off() {
  const p = new Profiler({ events: false });
  p.start(1e9);
  p.event('x');
  p.stop();
  equal(p.results().children, [], 'events are off');
  p.events = true;
  p.start(1e9);
  p.event('x');
  p.stop();
  equal(named(p.results(), 'off').filter((c) => c.events).map((c) => c.events), [{ x: { count: 1 } }], 'events are on');
}

function beside() {
  const p = new Profiler();
  p.start(1e9);
  for (let i = 0; i < 2; i++) i ? p.event('e', i) : (p.frame().data = i);
  p.stop();
  const found = named(p.results(), 'beside');
  equal(found.length, 2, 'two positions');
  assert(found.some((c) => c.data) && found.some((c) => c.events), 'data and events');
}

function hostile() {
  const p = new Profiler();
  p.start(1e9);
  p.event({ toString() { throw new Error('no name') } });
  p.event(Symbol('name'));
  p.event('value', { valueOf() { throw new Error('no value') } });
  p.event('big', 10n);
  for (let i = 0; i < 5000; i++) p.event('name ' + i);
  p.stop();
  const most = Math.max(...named(p.results(), 'hostile').map((c) => Object.keys(c.events).length));
  assert(most > 1000 && most < 1100, 'names are bounded: ' + most);
}

events();
off();
beside();
hostile();
