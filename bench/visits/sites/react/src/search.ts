import type { Product } from '../../common/products';

/** How well a product fits what was typed: letters in order count, and more so next to each other. */
export function score(product: Product, words: string): number {
  return 2 * fit(product.name, words) + fit(product.maker.toLowerCase(), words);
}

function fit(text: string, words: string): number {
  let points = 0;
  let at = 0;
  let run = 0;
  for (const letter of words) {
    const next = text.indexOf(letter, at);
    if (next < 0) return 0;
    run = next === at ? run + 1 : 1;
    points += run * run;
    at = next + 1;
  }
  return points;
}
