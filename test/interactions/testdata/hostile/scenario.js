// The actions of the case, of which none depends on time. It is instrumented.

const chance = stream('scenario');

/** Works, so that something is slow: by amount, because the clock may be broken. */
function work(amount) {
  let sum = 0;
  for (let i = 0; i < amount * 20000; i++) sum = (sum * 31 + i) % 65521;
  return sum;
}

/** Runs something and says what came of it. */
function attempt(what, run) {
  try {
    say(`${what}: ${textOf(run())}`);
  } catch (error) {
    say(`${what} threw ${textOf(error)}`);
  }
}

const events = ['click', 'pointerdown', 'pointerup', 'keydown', 'input', 'mousedown', 'touchstart', 'submit', 'unheard-of'];

function makeEvent(type) {
  const event = new Event(type, { bubbles: chance() < 0.8, cancelable: true, composed: chance() < 0.5 });
  const odd = { timeStamp: [NaN, -1, 1e300, 'now'], type: ['', 'x'.repeat(1e5)], target: targets.slice(0, 3).map((make) => make()), isTrusted: [true], pointerId: [NaN, 1e9] };
  const name = choose(Object.keys(odd), 11);
  if (chance() < 0.3) attempt(`an event's own ${name}`, () => Object.defineProperty(event, name, { value: odd[name][0] }) && 'defined');
  return event;
}

const scenarios = {
  'thousands of events'() {
    const button = element();
    let heard = 0;
    button.addEventListener('click', () => heard++);
    for (let i = 0; i < 5000; i++) button.dispatchEvent(makeEvent('click'));
    say(`heard ${heard}`);
  },
  'nested events'() {
    const button = element();
    let depth = 0;
    let heard = 0;
    button.addEventListener('click', () => {
      heard++;
      work(0.2);
      if (++depth < 60) button.click();
      depth--;
    });
    button.click();
    say(`heard ${heard}`);
  },
  'slow events on odd targets'() {
    for (const make of targets) {
      const target = make();
      if (!target || typeof target.dispatchEvent !== 'function') continue;
      const type = events[Math.floor(chance() * events.length)];
      EventTarget.prototype.dispatchEvent.call(target, makeEvent(type));
      work(1);
    }
  },
  'listeners that throw'() {
    const button = element();
    for (let i = 0; i < 20; i++) {
      button.addEventListener('click', (event) => {
        work(0.2);
        if (i === 10) event.stopImmediatePropagation();
        if (i % 3 === 0) throw new Error(`listener ${i}`);
      });
    }
    for (let i = 0; i < 20; i++) button.click();
    Promise.reject(new Error('nobody hears this'));
  },
  'odd listeners'() {
    const button = element();
    let heard = 0;
    const object = { handleEvent() { heard++; } };
    for (const listener of [object, null, undefined, {}, { get handleEvent() { return () => heard++; } }]) {
      attempt('adding it', () => button.addEventListener('click', listener));
      attempt('adding it once', () => button.addEventListener('click', listener, { once: true, passive: true }));
      attempt('adding it with odd options', () => button.addEventListener('click', listener, { get capture() { say('capture is read'); return true; } }));
    }
    const gone = () => heard++;
    button.addEventListener('click', gone);
    button.removeEventListener('click', gone);
    button.click();
    button.click();
    say(`heard ${heard}; ${EventTarget.prototype.addEventListener.length} ${EventTarget.prototype.addEventListener.name}`);
  },
  'marks and measures'() {
    for (let i = 0; i < 3000; i++) {
      const name = textOf(texts[i % texts.length]());
      attempt.quiet(() => performance.mark(name, { startTime: i % 7 ? undefined : 5 }));
      attempt.quiet(() => performance.measure(name, { start: 0, duration: i % 5 ? 10 : 1e9, detail: { name } }));
    }
    work(5);
  },
  'many navigations'() {
    // How many a browser allows is a matter of time: WebKit a hundred in half a minute.
    for (let i = 0; i < 300; i++) {
      attempt.quiet(() => history.replaceState({ i }, '', `${location.pathname}${location.search}#${i}`));
      if (i % 100 === 0) work(1);
    }
    window.dispatchEvent(new PopStateEvent('popstate', { state: null }));
    window.dispatchEvent(new HashChangeEvent('hashchange', { oldURL: 'x', newURL: '\ud800' }));
  },
  'frozen and back'() {
    for (let i = 0; i < 50; i++) {
      document.dispatchEvent(new Event('freeze'));
      window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
      document.dispatchEvent(new Event('visibilitychange'));
      work(0.5);
      window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
      document.dispatchEvent(new Event('resume'));
      document.dispatchEvent(new Event('prerenderingchange'));
    }
  },
  'the document opened again'() {
    document.open();
    document.write('<!doctype html><body><p id="new">new</p>');
    document.close();
    say(document.getElementById('new').textContent);
    work(10);
  },
  'frames of everyone'() {
    const frames = [element('iframe'), element('iframe'), element('iframe')];
    frames[0].srcdoc = '<button id=inner>x</button>';
    frames[1].src = 'data:text/html,<p>far away</p>';
    const button = document.createElement('button');
    attempt('a child of another document', () => frames[2].contentDocument.body.append(button));
    button.dispatchEvent(makeEvent('click'));
    work(5);
    frames[2].remove();
    button.dispatchEvent(makeEvent('click'));
  },
  'long work'() {
    const button = element();
    let sum = 0;
    button.addEventListener('click', () => (sum = work(100)));
    button.click();
    say(sum);
  },
};
attempt.quiet = (run) => {
  try {
    return run();
  } catch {
    return undefined;
  }
};

const scenario = choose(Object.entries(scenarios), 13);

/** Runs a scenario in a task of its own, with listeners at the window that hear of events first. */
async function play() {
  let heard = 0;
  attempt('listening', () => window.addEventListener('click', () => heard++, true));
  for (let turn = 0; turn < 3; turn++) {
    attempt(scenario[0], scenario[1]);
    feed(20);
    await task();
  }
  say(`the window heard ${heard}`);
}
