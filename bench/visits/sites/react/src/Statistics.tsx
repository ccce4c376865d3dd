import { useMemo } from 'react';
import { type Product, products } from '../../common/products';

interface Bar {
  name: string;
  count: number;
  mean: number;
}

function bars(list: Product[], key: (product: Product) => string): Bar[] {
  const sums = new Map<string, { count: number; sum: number }>();
  for (const product of list) {
    const name = key(product);
    const entry = sums.get(name) ?? { count: 0, sum: 0 };
    entry.count++;
    entry.sum += product.price;
    sums.set(name, entry);
  }
  return [...sums].map(([name, { count, sum }]) => ({ name, count, mean: sum / count })).sort((a, b) => b.mean - a.mean);
}

function Chart({ title, list }: { title: string; list: Bar[] }) {
  const widest = Math.max(...list.map(({ mean }) => mean));
  return (
    <figure>
      <figcaption>{title}</figcaption>
      <svg width="600" height={list.length * 16}>
        {list.map(({ name, count, mean }, i) => (
          <g key={name} transform={`translate(0 ${i * 16})`}>
            <rect x="120" width={(400 * mean) / widest} height="14" fill="teal" />
            <text y="12" fontSize="11">
              {name}: {count}, {mean.toFixed(2)}
            </text>
          </g>
        ))}
      </svg>
    </figure>
  );
}

export default function Statistics() {
  const all = useMemo(() => products(10_000), []);
  return (
    <main id="charts">
      <Chart title="By kind" list={bars(all, ({ kind }) => kind)} />
      <Chart title="By maker" list={bars(all, ({ maker }) => maker)} />
      <Chart title="By both" list={bars(all, ({ kind, maker }) => `${kind} of ${maker}`)} />
    </main>
  );
}
