// Shows the live panel in a frame while sources stream, acts as its reader, and posts how
// evenly it draws.

const frame = () => new Promise((done) => requestAnimationFrame(done));

/** The times between frames for some seconds, while each does a step. */
async function moving(seconds, step = () => {}) {
  const gaps = [];
  const began = await frame();
  for (let i = 0, last = began; last - began < 1000 * seconds; i++) {
    step(i);
    const now = await frame();
    gaps.push(now - last);
    last = now;
  }
  return gaps;
}

async function watch() {
  const [frames, snapshots] = [{}, {}];
  frames['an empty page'] = await moving(4);
  snapshots['an empty page'] = 0;
  const shown = document.createElement('iframe');
  shown.style = 'position: fixed; inset: 0; width: 100%; height: 100%; border: 0';
  document.body.append(shown);
  const opened = performance.now();
  shown.src = '/__fieldprof/';
  const find = (selector) => shown.contentDocument?.querySelector(selector);
  const samples = () => Number(/, (\d+) samples$/.exec(find('.stretch')?.textContent)?.[1] ?? 0);
  while (samples() < 900_000) await frame(); // the oldest may be forgotten already
  const took = performance.now() - opened;
  const page = shown.contentWindow;
  let came = 0;
  new page.MutationObserver(() => came++).observe(find('.stretch'), { childList: true, characterData: true, subtree: true });
  const measure = async (name, tab, step) => {
    [...page.document.querySelectorAll('[role=tab]')].find((button) => button.textContent.toLowerCase() === tab).click();
    const before = came;
    while (came < before + 2) await frame(); // until snapshots are of this view
    const [from, at] = [came, performance.now()];
    frames[name] = await moving(8, step);
    snapshots[name] = (came - from) / ((performance.now() - at) / 1000);
  };
  const zoom = (i) => {
    const canvas = find('main canvas');
    const wheel = (what) => canvas.dispatchEvent(new page.WheelEvent('wheel', { clientX: canvas.clientWidth / 3, clientY: 100, cancelable: true, bubbles: true, ...what }));
    if (i % 120 < 60) wheel({ ctrlKey: true, deltaY: -10 });
    else wheel({ ctrlKey: true, deltaY: 10 });
  };
  let by = 30;
  const scroll = () => {
    const host = find('main .table');
    host.scrollTop += by;
    if (host.scrollTop <= 0 || host.scrollTop + host.clientHeight >= host.scrollHeight - 1) by = -by;
  };
  await measure('flame graph', 'flame graph');
  await measure('flame graph, zooming', 'flame graph', zoom);
  await measure('time order', 'time order');
  await measure('functions', 'functions');
  await measure('functions, scrolling', 'functions', scroll);
  await measure('top down', 'top down');
  await measure('bottom up', 'bottom up');
  return { window: `${page.innerWidth} × ${page.innerHeight}`, shown: took, frames, snapshots };
}

const said = await watch().catch((error) => ({ error: String(error?.stack ?? error) }));
await fetch('/said', { method: 'POST', body: JSON.stringify(said) });
