import { odd } from './odd.mjs';

async function* ticks(n) {
  for (let i = 0; i < n; i++) yield await Promise.resolve(i);
}

let sum = 0;
for await (const tick of ticks(5)) sum += tick;
export const late = await new Promise((done) => setTimeout(() => done(`${sum} ${odd(4)}`), 5));
