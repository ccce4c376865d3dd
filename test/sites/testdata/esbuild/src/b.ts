import { Registry, line } from './common';

function nested({ deep: [first, { name = first } = {}] = ['b'] }: { deep?: [string, { name?: string }?] } = {}, ...rest: number[]) {
  try {
    for (const n of rest) if (n > 2) throw new RangeError(`${name} ${n}`);
    return name;
  } catch ({ message }) {
    return message;
  } finally {
    new Registry(name);
  }
}
line('b', [nested(), nested({ deep: ['x', {}] }, 1, 2, 3), nested(undefined, 0)].join());
