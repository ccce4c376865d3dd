// Orders are generated from shared data, sorted by hand and summed up by customer.
import { SharedArray } from 'k6/data';
import { check, group } from 'k6';
import exec from 'k6/execution';

interface Order { customer: number; amount: number; day: number }

const customers = new SharedArray('customers', () => {
  const all: { name: string; discount: number }[] = [];
  for (let i = 0; i < 200; i++) all.push({ name: `customer ${i}`, discount: (i % 7) / 100 });
  return all;
});

export const options = { scenarios: { clerks: { executor: 'shared-iterations', vus: Number(__ENV.USERS), iterations: Number(__ENV.ITERATIONS) } } };

export function setup(): { days: number } {
  return { days: 4 };
}

function generate(seed: number, n: number, days: number): Order[] {
  const orders: Order[] = [];
  for (let i = 0; i < n; i++) {
    seed = (seed * 48271) % 2147483647;
    orders.push({ customer: seed % 200, amount: (seed % 10000) / 100, day: seed % days });
  }
  return orders;
}

// By day, customer and amount; it looks at each digit of the amounts, as a collation would,
// for each two orders of a day, so of few days: it has most of the time, and sort half of that.
function compare(a: Order, b: Order): number {
  if (a.day !== b.day) return a.day - b.day;
  const left = String(a.amount), right = String(b.amount);
  let weight = 0;
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    weight = weight * 3 + (left.charCodeAt(i) || 0) - (right.charCodeAt(i) || 0);
  }
  return a.customer - b.customer || weight;
}

function sort(orders: Order[]): Order[] {
  for (let i = 1; i < orders.length; i++) {
    const order = orders[i];
    let at = i;
    while (at > 0 && compare(orders[at - 1], order) > 0) {
      orders[at] = orders[at - 1];
      at--;
    }
    orders[at] = order;
  }
  return orders;
}

function sums(orders: Order[]): Map<number, number> {
  const by = new Map<number, number>();
  for (const o of orders) by.set(o.customer, (by.get(o.customer) || 0) + o.amount * (1 - customers[o.customer].discount));
  return by;
}

export default function (data: { days: number }): void {
  const orders = group('generate', () => generate(exec.scenario.iterationInTest + 1, 60, data.days)) as Order[];
  group('report', () => {
    const sorted = sort(orders);
    check(sorted, { 'sorted': (s) => s.every((o, i) => i === 0 || s[i - 1].day <= o.day) });
    check(sums(sorted), { 'summed': (by) => by.size > 0 });
  });
}

export function teardown(data: { days: number }): void {
  check(data, { 'days': (d) => d.days === 4 });
}
