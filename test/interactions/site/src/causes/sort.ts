// A slow comparator, in a function of five statements: neither has a loop of its own.
import { show, slowly } from '../calibrate';
import { products, type Product } from '../products';

export function onSort(): void {
  const button = document.getElementById('sort') as HTMLButtonElement;
  const before = products.length;
  let rows: Product[] = [];
  button.disabled = true;
  slowly(() => (rows = sortProducts(products)));
  button.disabled = false;
  const first = rows[0];
  const last = rows[rows.length - 1];
  const text = `${first.name} to ${last.name}`;
  if (rows.length !== before) show('some are lost');
  else show(text);
}

function sortProducts(list: Product[]): Product[] {
  const rows = list.slice();
  const collator = new Intl.Collator('de');
  const byName = (a: Product, b: Product) => collator.compare(a.name.toUpperCase(), b.name.toUpperCase()) || a.id - b.id;
  rows.sort(byName);
  return rows;
}
