/** The cost of an order: of items, each with its own discount. */
export function priceOf(id) {
  let cents = 0;
  for (let item = 1; item <= 2000; item++) cents += discounted(item * 7 + id, item % 5);
  return cents;
}

function discounted(cents, steps) {
  for (let step = 0; step < steps * 10; step++) cents = Math.floor(cents * 0.99) + 1;
  return cents;
}

/** The orders of a month, as a table in text. */
export function report(month) {
  const rows = [];
  for (let id = 0; id < 20; id++) rows.push(`${month} ${String(id).padStart(4)} ${(priceOf(id) / 100).toFixed(2).padStart(10)}`);
  return rows.join("\n");
}
