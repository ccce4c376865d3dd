// A long timer: the click is answered at once, and the timer it starts blocks the page a moment later.
import { show, slowly } from '../calibrate';
import { products } from '../products';

export function onIndex(): void {
  show('indexing');
  setTimeout(() => slowly(rebuildIndex), 0);
}

/** Counts the pairs of letters of all names. */
function rebuildIndex(): void {
  const pairs = new Uint32Array(1 << 14);
  for (let i = 0; i < products.length; i++) {
    const { name } = products[i];
    for (let k = 1; k < name.length; k++) {
      // No call: an engine inlines it, and the loop is checked by itself.
      const pair = (name[k - 1] > 'm' ? 64 : 0) + (name[k] > 'm' ? 1 : 0);
      pairs[pair]++;
    }
  }
}
