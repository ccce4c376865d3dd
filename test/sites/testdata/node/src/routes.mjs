import { describe, sort } from './work.mjs';

export const routes = new Map();

export function route(name, handler) {
  routes.set(name, handler);
}

route('/primes', ({ searchParams }) => {
  const list = [];
  next: for (let n = 2; n < Number(searchParams.get('below')); n++) {
    for (const p of list) if (n % p === 0) continue next;
    list.push(n);
  }
  return list;
});
route('/sort', ({ searchParams }) => sort(searchParams.get('list').split(',')));
route('/late', async () => (await import('./late.mjs')).late());
route('/fail', () => {
  throw new TypeError(describe('/fail'));
});

export const known = () => routes.size;

export async function handle(url) {
  const handler = routes.get(url.pathname);
  if (!handler) throw new RangeError(`no ${url.pathname}`);
  return handler(url);
}
