// Requests are signed in JavaScript, as clients of an API do that brings its own library.
import http from 'k6/http';
import { check } from 'k6';
import { hex, digest } from './lib/sha256.js';

export const options = { scenarios: { clients: { executor: 'shared-iterations', vus: Number(__ENV.USERS), iterations: Number(__ENV.ITERATIONS) } } };

function canonical(method, path, body) {
  const headers = { host: 'shop', date: '2026-11-25', 'x-user': String(__VU) };
  return [method, path, ...Object.keys(headers).sort().map((k) => k + ':' + headers[k]), body].join('\n');
}

async function signed(path, body) {
  await Promise.resolve();
  const signature = hex(digest(canonical('POST', path, body)));
  return http.asyncRequest('POST', __ENV.BASE + path, body, { headers: { Authorization: signature } });
}

export default async function () {
  check(hex(digest('abc')), { 'right': (h) => h === 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad' });
  const body = JSON.stringify({ iteration: __ITER, text: 'x'.repeat(200) });
  const responses = await Promise.all([signed('/orders', body), signed('/orders', body)]);
  check(responses, { 'accepted': (all) => all.every((r) => r.status === 201) });
}
