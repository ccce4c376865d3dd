import { Registry, line } from './common';

const registry = new Registry<number>('a').push(3, 1, 2);
registry.first = 9;
let text = `${registry.size}`;
for await (const item of registry.drain()) text += ` ${item}`;
line('a', `${text} ${Registry.last() === undefined}`);
import('./dynamic').then(({ factorial }) => line('dynamic', String(factorial(20n))));
