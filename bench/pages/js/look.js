// Shows a report in a frame, acts as its reader, and posts how long things took.

/** The next moment at which the browser draws. */
const frame = () => new Promise((done) => requestAnimationFrame(done));

/** Until what was changed is on the screen. */
async function drawn() {
  await frame();
  await frame();
}

/** The times between frames, while each of so many does a step. */
async function moving(frames, step) {
  await drawn();
  const gaps = [];
  let last = await frame();
  for (let i = 0; i < frames; i++) {
    step(i);
    const now = await frame();
    gaps.push(now - last);
    last = now;
  }
  return gaps;
}

async function open() {
  const shown = document.createElement('iframe');
  shown.style = 'position: fixed; inset: 0; width: 100%; height: 100%; border: 0';
  document.body.append(shown);
  await drawn();
  const began = performance.now();
  shown.src = '/report.html';
  while (!shown.contentDocument?.documentElement?.dataset.ready) await frame();
  await drawn();
  return { page: shown.contentWindow, shown: performance.now() - began };
}

async function look() {
  const { page, shown } = await open();
  const find = (selector) => page.document.querySelector(selector);
  const [views, frames] = [{}, {}];
  const view = async (name) => {
    const began = performance.now();
    [...page.document.querySelectorAll('[role=tab]')].find((tab) => tab.textContent === name).click();
    await drawn();
    views[name] = performance.now() - began;
  };
  /** Down and up again. */
  const scroll = (host) => {
    let by = 50;
    return () => {
      host.scrollTop += by;
      if (host.scrollTop <= 0 || host.scrollTop + host.clientHeight >= host.scrollHeight - 1) by = -by;
    };
  };
  /** In, sideways, and out again. */
  const zoom = (canvas) => {
    const wheel = (what) => canvas.dispatchEvent(new page.WheelEvent('wheel', { clientX: canvas.clientWidth / 3, clientY: 100, cancelable: true, bubbles: true, ...what }));
    return (i) => {
      if (i < 60) wheel({ ctrlKey: true, deltaY: -20 });
      else if (i < 120) wheel({ deltaX: i < 90 ? 30 : -30 });
      else wheel({ ctrlKey: true, deltaY: 20 });
    };
  };
  frames.nothing = await moving(60, () => {});
  frames['flame graph'] = await moving(180, zoom(find('main canvas')));
  await view('Time order');
  frames['time order'] = await moving(180, zoom(find('main canvas')));
  await view('Functions');
  frames.functions = await moving(180, scroll(find('main .table')));
  await view('Bottom up');
  await view('Top down');
  // Open a few hundred rows, as a keyboard does.
  find('tr[role=row]').focus();
  for (let i = 0; i < 300; i++) {
    for (const key of ['ArrowRight', 'ArrowDown']) page.document.activeElement.dispatchEvent(new page.KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  }
  frames.tree = await moving(180, scroll(find('main .table')));
  return { window: `${page.innerWidth} × ${page.innerHeight}`, shown, views, frames };
}

const said = await look().catch((error) => ({ error: String(error?.stack ?? error) }));
await fetch('/said', { method: 'POST', body: JSON.stringify(said) });
