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

// The popups of Chromium's address bar are pages of its own, two for each window, which take
// several times the processor time of the window.
const popups = 'WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup';

export async function launchChromium({ chromium }, scratch) {
  return wrap(
    await puppeteer.launch({
      ...quiet,
      executablePath: chromium,
      pipe: true, // it ends with us, however we end
      env: { ...process.env, TMPDIR: scratch },
      args: [
        '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking', '--disable-component-update', '--disable-sync',
        `--disable-features=${popups}`,
        ...(isDark ? ['--blink-settings=preferredColorScheme=0'] : []),
      ],
    }),
    threadMetrics,
  );
}

export async function launchFirefox({ firefox }, scratch) {
  return wrap(await puppeteer.launch({ ...quiet, browser: 'firefox', executablePath: firefox, extraPrefsFirefox: isDark ? { 'layout.css.prefers-color-scheme.content-override': 0 } : {}, env: { ...process.env, TMPDIR: scratch } }), async () => ({}));
}

function wrap(browser, metrics) {
  const program = guard(browser.process()); // puppeteer gives it a group of its own
  const free = []; // windows that show nothing
  return {
    open: (url, fresh) => openPage(browser, fresh ? undefined : free, url, metrics),
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

// A window has a context of its own: no cookies, no cache, no service workers of the page
// before. A window behind another one would be hidden, so none has tabs.
async function newWindow(browser) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage({ type: 'window' });
  const window = { context, page, origins: new Set(), isTouched: false, said: { console: [], errors: [] } };
  page.on('framenavigated', (frame) => window.origins.add(originOf(frame.url())));
  page.on('console', (message) => {
    window.said.console.push({ level: message.type(), text: message.text() });
  });
  page.on('pageerror', (error) => window.said.errors.push(`page error: ${error?.stack || error?.message || error}`));
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText;
    // Whether the page went before an answer came depends on the machine alone.
    if (!/ERR_ABORTED|NS_BINDING_ABORTED/.test(why)) window.said.errors.push(`request failed: ${request.url()}: ${why}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) window.said.errors.push(`request failed: ${response.url()}: ${response.status()}`);
  });
  return window;
}

const originOf = (url) => (URL.canParse(url) ? new URL(url).origin : url);

// A new window takes a second and a half of processor time, which is more than most pages: one
// that is done with is used again, for pages of origins that it has not seen.
async function openPage(browser, free, url, metrics) {
  const at = free?.findIndex(({ origins }) => !origins.has(originOf(url))) ?? -1;
  const window = at < 0 ? await newWindow(browser) : free.splice(at, 1)[0];
  const { page } = window;
  const said = (window.said = { console: [], errors: [] });
  await page.goto(url, { waitUntil: 'load', timeout: limit });
  return {
    async evaluate(expression) {
      const json = await page.evaluate(`(async () => JSON.stringify(await (${expression})))()`);
      return json === undefined ? null : JSON.parse(json);
    },
    said: () => said,
    screenshot: (path) => page.screenshot({ path, fullPage: true }),
    click: (x, y) => touched(window).mouse.click(x, y),
    press: (key) => touched(window).keyboard.press(key),
    metrics: () => metrics(page),
    close: () => leave(window, free),
  };
}

// The page of a window in which the mouse stays where it is put.
function touched(window) {
  window.isTouched = true;
  return window.page;
}

// Leaves a page. Its window is free if nothing is left of it that pages of other origins might
// see, and if it is not busy.
async function leave(window, free) {
  const { context, page } = window;
  const leaving = async () => {
    if (!free) return false;
    if (window.isTouched) await page.mouse.move(0, 0); // it would be on the next page
    window.isTouched = false;
    if ((await context.pages()).length > 1 || (await context.cookies()).length > 0) return false;
    await page.goto('about:blank');
    return true;
  };
  const late = new Promise((resolve) => setTimeout(resolve, 5000, false).unref());
  if (await Promise.race([leaving().catch(() => false), late])) free.push(window);
  else await context.close();
}
