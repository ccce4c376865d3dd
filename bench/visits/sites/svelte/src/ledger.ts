import type { Product } from '../../common/products';

export const columns: (keyof Product)[] = ['id', 'name', 'maker', 'price', 'stock', 'rating'];

export function compare(a: string | number, b: string | number): number {
  return typeof a === 'string' ? a.localeCompare(String(b), 'en') : a - Number(b);
}

export function totals(rows: Product[]): { worth: number; rating: number } {
  let worth = 0;
  let rating = 0;
  for (const { price, stock, rating: rated } of rows) {
    worth += price * stock;
    rating += rated;
  }
  return { worth, rating: rating / Math.max(1, rows.length) };
}
