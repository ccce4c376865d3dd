import { useEffect, useMemo, useState } from 'react';
import { type Product, products } from '../../common/products';
import { score } from './search';

const all = products(8000);
const shown = 250;

function Row({ product, words }: { product: Product; words: string }) {
  return (
    <li>
      <Highlighted text={product.name} words={words} /> <i>{product.maker}</i> <b>{product.price.toFixed(2)}</b>
      <Stars rating={product.rating} />
    </li>
  );
}

function Highlighted({ text, words }: { text: string; words: string }) {
  const at = words ? text.indexOf(words) : -1;
  if (at < 0) return <span>{text}</span>;
  return (
    <span>
      {text.slice(0, at)}
      <mark>{words}</mark>
      {text.slice(at + words.length)}
    </span>
  );
}

function Stars({ rating }: { rating: number }) {
  return <span className="stars">{[1, 2, 3, 4, 5].map((star) => <i key={star}>{rating >= star ? '★' : '☆'}</i>)}</span>;
}

/** The sum of a stock, computed elsewhere. */
function useStock(): number | undefined {
  const [stock, setStock] = useState<number>();
  useEffect(() => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<number>) => setStock(data);
    worker.postMessage(all.length);
    return () => worker.terminate();
  }, []);
  return stock;
}

export function Shop() {
  const [words, setWords] = useState('');
  const stock = useStock();
  const found = useMemo(() => {
    if (!words) return all;
    const scored = all.map((product) => ({ product, score: score(product, words) })).filter(({ score }) => score > 0);
    scored.sort((a, b) => b.score - a.score || a.product.price - b.product.price);
    return scored.map(({ product }) => product);
  }, [words]);
  useEffect(() => {
    if (stock !== undefined) performance.mark('ready');
  }, [stock]);
  return (
    <main data-words={words}>
      <h1>Things for the house</h1>
      <input id="search" value={words} placeholder="Search" onChange={(event) => setWords(event.target.value)} />
      <p>
        {found.length} products, {stock ?? '…'} in stock
      </p>
      <ul>
        {found.slice(0, shown).map((product) => (
          <Row key={product.id} product={product} words={words} />
        ))}
      </ul>
    </main>
  );
}
