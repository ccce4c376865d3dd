import { parity } from './even.mjs';

export function lazy() {
  const list = [];
  for (const [name, test] of parity) list.push(`${name} ${test(4)}`);
  return list.join();
}
