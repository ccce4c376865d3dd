import { stem } from './stem.js';
import { words } from './words.js';

/** The stems of a text with how often each comes. */
export function index(text) {
  const counts = new Map();
  for (const word of words(text)) {
    const key = stem(word);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}
