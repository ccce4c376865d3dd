import { Counter } from './shared';

export function words(text) {
  const counter = new Counter();
  for (const letter of text) {
    if (letter === ' ') continue;
    counter.add(letter);
  }
  return [...counter].join(' ');
}
