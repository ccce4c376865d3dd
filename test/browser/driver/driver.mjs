// Drives browsers for the Go package beside it. Requests come as JSON lines on
// standard input, {"id", "op", …}, and are answered in any order by {"id",
// "result"} or {"id", "error"}. When the input ends, so does every browser.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { launchChromium, launchFirefox } from './puppeteer.mjs';
import { launchWebKit } from './webkit.mjs';

// All that the browsers leave on disk goes with this folder.
const scratch = mkdtempSync(join(tmpdir(), 'fieldprof-browsers-'));
process.env.TMPDIR = scratch;

const launch = { chromium: launchChromium, firefox: launchFirefox, webkit: launchWebKit };
const browsers = new Map(); // name → promise of a browser
const pages = new Map(); // id → page
let nextPage = 1;

const operations = {
  async launch({ browser, programs }) {
    if (!browsers.has(browser)) browsers.set(browser, launch[browser](programs, scratch));
    await browsers.get(browser);
  },
  async version({ browser }) {
    return (await browsers.get(browser)).version();
  },
  // A fresh page has a window that showed nothing before.
  async open({ browser, url, fresh }) {
    const page = await (await browsers.get(browser)).open(url, fresh);
    const id = nextPage++;
    pages.set(id, page);
    return id;
  },
  // The value of an expression, awaited.
  async eval({ page, expression }) {
    return pageOf(page).evaluate(expression);
  },
  // The first truthy value of an expression. An exception counts as false
  // until the time is over: the things it names may not be there yet. Each evaluation
  // takes processor time that the page needs, so the pauses grow.
  async wait({ page, expression, limit }) {
    const end = Date.now() + limit;
    // Values come as JSON, which has no functions.
    const judged = `(async () => { const value = await (${expression}); return typeof value === 'function' || value })()`;
    for (let pause = 20; ; pause = Math.min(1.4 * pause, 400)) {
      let last;
      try {
        const value = await pageOf(page).evaluate(judged, 3000);
        if (value) return value;
        last = `last value ${JSON.stringify(value)}`;
      } catch (error) {
        last = error.message;
      }
      if (Date.now() > end) throw new Error(`not truthy after ${limit} ms: ${expression}: ${last}`);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  },
  // The messages of the page so far: {console: [{level, text}], errors: [text]}.
  async said({ page }) {
    return pageOf(page).said();
  },
  // A click of a person's mouse, at a position in the window.
  async click({ page, x, y }) {
    await pageOf(page).click(x, y);
  },
  // The same with a key, by its name.
  async press({ page, key }) {
    await pageOf(page).press(key);
  },
  // The browser's counts for the page, by name; {} if it does not tell.
  async metrics({ page }) {
    return pageOf(page).metrics();
  },
  async screenshot({ page, path }) {
    await pageOf(page).screenshot(path);
  },
  async close({ page }) {
    const closing = pageOf(page);
    pages.delete(page);
    await closing.close();
  },
};

function pageOf(id) {
  const page = pages.get(id);
  if (!page) throw new Error(`page ${id} is closed`);
  return page;
}

async function answer(line) {
  const { id, op, ...request } = JSON.parse(line);
  let reply;
  try {
    if (!Object.hasOwn(operations, op)) throw new Error('there is no such operation');
    reply = { id, result: await operations[op](request) };
  } catch (error) {
    reply = { id, error: `${op}: ${error?.message ?? error}` };
  }
  process.stdout.write(JSON.stringify(reply) + '\n');
}

let ending = false;
async function end(code) {
  if (ending) return;
  ending = true;
  setTimeout(() => process.exit(code), 8000).unref(); // each browser has 5 s to close, then is killed
  await Promise.allSettled([...browsers.values()].map(async (browser) => (await browser).close()));
  rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
  process.exit(code);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(1));
process.on('unhandledRejection', (error) => console.error('driver:', error)); // of a page that went away
process.stdout.on('error', () => end(1));
createInterface({ input: process.stdin }).on('line', answer).on('close', () => end(0));
