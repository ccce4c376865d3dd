// Chromium and Firefox, through puppeteer: the DevTools protocol for one,
// WebDriver BiDi for the other.
import puppeteer from 'puppeteer-core';
import { guard, killGroup } from './group.mjs';

// The driver hears signals, and closes its browsers itself; limits only end
// what hangs: a busy machine is slow.
const limit = 300000;
const quiet = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false, protocolTimeout: limit, timeout: limit };

// FIELDPROF_DARK=1 has pages in the dark, for pictures.
const isDark = Boolean(process.env.FIELDPROF_DARK);

export async function launchChromium({ chromium }, scratch) {
  return wrap(
    await puppeteer.launch({
      ...quiet,
      executablePath: chromium,
      pipe: true, // it ends with us, however we end
      env: { ...process.env, TMPDIR: scratch },
      args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking', ...(isDark ? ['--blink-settings=preferredColorScheme=0'] : []), '--disable-component-update', '--disable-sync'],
    }),
    threadMetrics,
  );
}

export async function launchFirefox({ firefox }, scratch) {
  return wrap(await puppeteer.launch({ ...quiet, browser: 'firefox', executablePath: firefox, extraPrefsFirefox: isDark ? { 'layout.css.prefers-color-scheme.content-override': 0 } : {}, env: { ...process.env, TMPDIR: scratch } }), async () => ({}));
}

function wrap(browser, metrics) {
  const program = guard(browser.process()); // puppeteer gives it a group of its own
  return {
    open: (url) => openPage(browser, url, metrics),
    version: () => browser.version(),
    async close() {
      const late = setTimeout(() => killGroup(program), 5000);
      await browser.close().catch(() => {});
      clearTimeout(late);
      killGroup(program);
    },
  };
}

// page.metrics() leaves out the time of the page's thread.
async function threadMetrics(page) {
  const { metrics } = await page._client().send('Performance.getMetrics');
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
}

// Every page has a context of its own: no cookies, no cache, no service
// workers of the page before. It has a window of its own as well, because a page
// behind another in a window is hidden.
async function openPage(browser, url, metrics) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage({ type: 'window' });
  const said = { console: [], errors: [] };
  page.on('console', (message) => {
    said.console.push({ level: message.type(), text: message.text() });
  });
  page.on('pageerror', (error) => said.errors.push(`page error: ${error?.stack || error?.message || error}`));
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText;
    // Whether the page went before an answer came depends on the machine alone.
    if (!/ERR_ABORTED|NS_BINDING_ABORTED/.test(why)) said.errors.push(`request failed: ${request.url()}: ${why}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) said.errors.push(`request failed: ${response.url()}: ${response.status()}`);
  });
  await page.goto(url, { waitUntil: 'load', timeout: limit });
  return {
    async evaluate(expression) {
      const json = await page.evaluate(`(async () => JSON.stringify(await (${expression})))()`);
      return json === undefined ? null : JSON.parse(json);
    },
    said: () => said,
    screenshot: (path) => page.screenshot({ path, fullPage: true }),
    click: (x, y) => page.mouse.click(x, y),
    press: (key) => page.keyboard.press(key),
    metrics: () => metrics(page),
    close: () => context.close(),
  };
}
