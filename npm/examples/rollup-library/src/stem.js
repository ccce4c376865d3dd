import { isVowel } from './words.js';

const endings = ['ations', 'ation', 'ings', 'ing', 'ers', 'er', 'ed', 's'];

/** A word without its ending. */
export function stem(word) {
  for (const ending of endings) {
    const rest = word.slice(0, -ending.length);
    if (word.endsWith(ending) && [...rest].some(isVowel)) {
      return rest;
    }
  }
  return word;
}
