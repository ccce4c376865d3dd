// WebKitGTK's MiniBrowser, through WebDriver, on a screen of its own (Xvfb).
// WebDriver reports no consoles and errors, and a browser under
// automation is a private one, whose console goes nowhere: a script in the page
// keeps what is logged (collector.js, which the server of the tests puts there).
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { guard, killGroup } from './group.mjs';

// Ends what hangs: a busy machine is slow.
const hang = 300000;

export async function launchWebKit({ minibrowser, webdriver, xvfb }, scratch) {
  const screen = guarded(xvfb, ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const display = await firstLine(screen, screen.stdio[3], 'Xvfb');
  const port = await freePort();
  const driver = guarded(webdriver, [`--port=${port}`], {
    env: { ...process.env, TMPDIR: scratch, DISPLAY: `:${display}`, ...(process.env.FIELDPROF_DARK ? { GTK_THEME: 'Adwaita:dark' } : {}), WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' },
    stdio: 'ignore',
  });
  const session = await startSession(`http://127.0.0.1:${port}`, minibrowser).catch((error) => {
    killGroup(driver);
    killGroup(screen);
    throw error;
  });
  const alone = inTurn();
  const free = [await session('GET', '/window')]; // windows that show nothing
  return {
    open: (url) => alone(() => openPage(session, alone, free, url)),
    version: () => session.version,
    async close() {
      await session('DELETE', '', undefined, 5000).catch(() => {});
      killGroup(driver);
      killGroup(screen);
    },
  };
}

// A session of WebDriver: a function that sends it one command.
async function startSession(address, binary) {
  const capabilities = { alwaysMatch: { browserName: 'MiniBrowser', 'webkitgtk:browserOptions': { binary, args: ['--automation'] } } };
  for (const end = Date.now() + hang; ; ) {
    try {
      const { sessionId, capabilities: granted } = await command(`${address}/session`, 'POST', { capabilities }, hang);
      const session = (method, path, body, limit = hang) => command(`${address}/session/${sessionId}${path}`, method, body, limit);
      session.version = `${granted.browserName}/${granted.browserVersion}`;
      await session('POST', '/timeouts', { pageLoad: 60000, script: hang });
      return session;
    } catch (error) {
      if (error.cause?.code !== 'ECONNREFUSED' || Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50)); // it does not listen yet
    }
  }
}

async function command(url, method, body, limit) {
  const response = await fetch(url, { method, body: body && JSON.stringify(body), signal: AbortSignal.timeout(limit) });
  const { value } = await response.json();
  if (!response.ok) throw new Error(`WebKitWebDriver: ${value.error}: ${value.message}`);
  return value;
}

// WebDriver's letters for keys that write none.
const keys = { Enter: '\uE007', Tab: '\uE004', Escape: '\uE00C', Backspace: '\uE003' };

// Each page has a window; commands go to the one that was switched to last, so
// pages take turns. A window that is done with is used again: a new one takes
// longer than most pages.
async function openPage(session, alone, free, url) {
  const handle = await loaded(session, free, url).catch((error) => {
    if (!/timeout/i.test(`${error.name} ${error.message}`)) throw error;
    return loaded(session, [], url); // a window may hang, if rarely: it is left behind
  });
  const inWindow = (act) =>
    alone(async () => {
      await session('POST', '/window', { handle });
      return act();
    });
  return {
    evaluate: (expression, limit) => inWindow(() => evaluate(session, expression, limit)),
    said: () => inWindow(() => evaluate(session, 'top.__said || { console: [], errors: [] }')),
    click: (x, y) =>
      inWindow(() => {
        const actions = [{ type: 'pointerMove', x, y }, { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 }];
        return session('POST', '/actions', { actions: [{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }] });
      }),
    press: (key) =>
      inWindow(() => {
        const value = keys[key] ?? key;
        const actions = [{ type: 'keyDown', value }, { type: 'keyUp', value }];
        return session('POST', '/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
      }),
    metrics: async () => ({}),
    screenshot: (path) => inWindow(async () => writeFileSync(path, Buffer.from(await session('GET', '/screenshot'), 'base64'))),
    close: () =>
      inWindow(async () => {
        await session('POST', '/url', { url: 'about:blank' });
        free.push(handle);
      }),
  };
}

// Loads a page in a free window or a new one, and gives its handle.
async function loaded(session, free, url) {
  const handle = free.pop() ?? (await session('POST', '/window/new', { type: 'window' })).handle;
  await session('POST', '/window', { handle });
  await session('POST', '/url', { url });
  if (url !== 'about:blank' && (await session('GET', '/url')) === 'about:blank') {
    free.push(handle); // WebDriver reports no failure
    throw new Error(`${url} cannot be loaded`);
  }
  return handle;
}

// A page that is left meanwhile may never answer: a caller that expects this sets
// a limit, and asks again.
async function evaluate(session, expression, limit) {
  const script = `const done = arguments[arguments.length - 1];
    (async () => JSON.stringify(await (${expression})))().then((json) => done({ json }), (error) => done({ error: String(error) }));`;
  const { json, error } = await session('POST', '/execute/async', { script, args: [] }, limit);
  if (error !== undefined) throw new Error(error);
  return json === undefined || json === null ? null : JSON.parse(json);
}

const guarded = (program, args, options) => guard(spawn(program, args, { ...options, detached: true }));

function inTurn() {
  let last = Promise.resolve();
  return (act) => (last = last.catch(() => {}).then(act));
}

function firstLine(program, stream, name) {
  return new Promise((resolve, reject) => {
    stream.once('data', (data) => resolve(String(data).trim()));
    program.once('error', reject);
    program.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)));
  });
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
