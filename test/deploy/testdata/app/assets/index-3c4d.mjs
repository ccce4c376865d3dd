import { primes } from './shared-5e6f.mjs';

function inWorker(list) {
  const worker = new Worker(new URL('./worker-9c0d.js', import.meta.url));
  return new Promise((resolve, reject) => {
    worker.onmessage = (event) => resolve(event.data);
    worker.onerror = () => reject(new Error('the worker failed'));
    worker.postMessage(list);
  });
}

async function main() {
  const list = primes(200);
  const { largest } = await import('./lazy-7a8b.mjs');
  window.result = { count: list.length, sum: window.vendor.sum(list), largest: largest(500), product: await inWorker(list) };
  document.getElementById('out').textContent = JSON.stringify(window.result);
}

// The tests call this to see whether checks are there: in a module and in a
// classic script.
window.work = () => window.vendor.sum(primes(50));

main();
