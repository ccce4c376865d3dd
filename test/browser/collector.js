// Keeps what a page and its frames say, for a browser that does not tell
// (driver/webkit.mjs). Workers are heard only through their error events.
(() => {
  let root = self;
  try {
    if (top.document) root = top;
  } catch {
    // A frame of another origin keeps its own.
  }
  if (!root.__said) Object.defineProperty(root, '__said', { value: { console: [], errors: [] } });
  const said = root.__said;
  for (const level of ['debug', 'log', 'info', 'warn', 'error']) {
    const write = console[level];
    console[level] = (...words) => {
      said.console.push({ level, text: words.map(String).join(' ') });
      write.apply(console, words);
    };
  }
  addEventListener(
    'error',
    (event) => {
      const { target } = event;
      if (target && target !== self) said.errors.push(`request failed: ${target.src || target.href || target}`);
      else said.errors.push(`page error: ${event.message} (${event.filename}:${event.lineno}:${event.colno})`);
    },
    true,
  );
  addEventListener('unhandledrejection', (event) => said.errors.push(`page error: ${event.reason}`));
})();
