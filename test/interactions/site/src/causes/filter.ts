// A slow handler.
import { show, slowly } from '../calibrate';
import { products } from '../products';

export function onFilter(): void {
  let found = 0;
  slowly(() => (found = filterProducts('aeiou')));
  show(found);
}

/** Counts the products whose names have many of these letters. */
function filterProducts(letters: string): number {
  let found = 0;
  for (let i = 0; i < products.length; i++) {
    const { name } = products[i];
    let hits = 0;
    for (let k = 0; k < name.length; k++) {
      for (let l = 0; l < letters.length; l++) if (name[k] === letters[l]) hits++;
    }
    if (hits > 3) found++;
  }
  return found;
}
