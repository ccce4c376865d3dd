// A slow handler behind a framework's dispatcher, which hands it an event of its own.
import type { ViewEvent } from 'tinyview';
import { show, slowly } from '../calibrate';
import { products } from '../products';

export function onPrice(event: ViewEvent): void {
  let sum = 0;
  slowly(() => (sum = priceBasket(event.type.length)));
  show(sum);
}

/** Sums prices with the discounts of every pair. */
function priceBasket(rate: number): number {
  let sum = 0;
  for (let i = 0; i < 300; i++) {
    for (let k = 0; k < 300; k++) {
      const pair = products[i].price + products[k].price;
      sum += pair > 500 ? pair * (1 - rate / 100) : pair;
    }
  }
  return Math.round(sum);
}
