// A framework as small as can be: one listener at the root, which finds the listeners of the
// elements from the target up, and hands them an event of its own.

export function mount(root, listeners) {
  root.addEventListener('click', (event) => dispatch(root, listeners, event));
}

function dispatch(root, listeners, native) {
  const event = { type: native.type, native, stopped: false };
  const path = [];
  for (let element = native.target; element && element !== root; element = element.parentElement) {
    const name = element.getAttribute('data-on');
    if (name !== null && Object.hasOwn(listeners, name)) path.push(listeners[name]);
  }
  batch(() => {
    for (const listener of path) {
      if (!event.stopped) call(listener, event);
    }
  });
}

let depth = 0;
const waiting = [];

/** Runs something, and the effects that it defers once it is done. */
function batch(run) {
  depth++;
  try {
    run();
  } finally {
    depth--;
    while (depth === 0 && waiting.length > 0) waiting.shift()();
  }
}

function call(listener, event) {
  try {
    listener(event);
  } catch (error) {
    waiting.push(() => reportError(error));
  }
}
