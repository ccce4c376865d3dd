// Renders components on the server, as text and as a stream.
import { createContext, createElement as h, Fragment, memo, Suspense, use, useContext, useId, useMemo, useReducer } from 'react';
import { renderToReadableStream, renderToStaticMarkup, renderToString } from 'react-dom/server';
import { attempt } from './digest.mjs';

const Theme = createContext('light');
const Row = memo(({ id, children }) => h('li', { 'data-id': id, className: useContext(Theme), style: { width: id * 2, '--x': 1 } }, children));

function List({ size }) {
  const [total, add] = useReducer((a, b) => a + b, 0);
  if (total < size) add(1);
  const rows = useMemo(() => Array.from({ length: size }, (_, i) => h(Row, { id: i, key: i }, `row <${i}>`, i % 3 ? null : h('b', null, 'bold'))), [size]);
  return h(Fragment, null, h('label', { htmlFor: useId() }, total), h('ul', { onClick() {} }, rows));
}

function Late({ promise }) { return h('i', null, use(promise)); }
function Broken() { throw new RangeError('broken'); }

const page = h(Theme.Provider, { value: 'dark' }, h(List, { size: 20 }), h('input', { defaultValue: '"quoted"', disabled: true }), h('select', { defaultValue: 'b' }, h('option', { value: 'a' }), h('option', { value: 'b' })));
console.log(renderToString(page));
console.log(renderToStaticMarkup(page).length);
console.log(attempt(() => renderToString(h(Broken))));
const promise = new Promise((resolve) => setTimeout(resolve, 5, 'at last'));
const stream = await renderToReadableStream(h('main', null, h(Suspense, { fallback: 'wait' }, h(Late, { promise })), h(Suspense, { fallback: 'failed' }, h(Broken))), { onError: (e) => console.log('caught', e.message) });
await stream.allReady;
console.log(await new Response(stream).text());
