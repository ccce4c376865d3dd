// The entry and the tree import each other: the tree's body runs first, and
// calls what is hoisted here; the entry calls into a tree that is half made.
import { log } from './log.mjs';
import { Tree, grow } from './tree.mjs';

export default function describe(tree) {
  let text = '';
  for (const leaf of tree) text += leaf;
  return text;
}

export function started() {
  try {
    return answer;
  } catch (error) {
    return error.name; // its body has not run
  }
}

export const answer = 21;
log('entry', describe(grow(3)), new Tree(['x']).size);

export const lazily = async (word) => (await import('./lazy.mjs')).default(word);
