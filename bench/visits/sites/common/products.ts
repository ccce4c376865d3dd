// The products that the sites show, the same at each visit.
export interface Product {
  id: number;
  name: string;
  maker: string;
  kind: string;
  price: number;
  stock: number;
  rating: number;
}

const shapes = ['round', 'square', 'tall', 'flat', 'light', 'heavy', 'small', 'large', 'folding', 'plain'];
const colours = ['red', 'green', 'blue', 'white', 'black', 'yellow', 'grey', 'brown'];
const kinds = ['lamp', 'chair', 'table', 'shelf', 'clock', 'vase', 'rug', 'mirror', 'bench', 'stool'];
const makers = ['Alder', 'Birch', 'Cedar', 'Elm', 'Hazel', 'Larch', 'Maple', 'Oak', 'Pine', 'Rowan', 'Spruce', 'Yew'];

/** Numbers from 0 to 1, which only look random. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export function products(count: number): Product[] {
  const next = sequence(count);
  const pick = <T>(list: T[]): T => list[Math.floor(next() * list.length)];
  return Array.from({ length: count }, (_, id) => {
    const kind = pick(kinds);
    return {
      id,
      name: `${pick(shapes)} ${pick(colours)} ${kind} ${id}`,
      maker: pick(makers),
      kind,
      price: Math.round(next() * 50_000) / 100,
      stock: Math.floor(next() * 200),
      rating: Math.round(next() * 50) / 10,
    };
  });
}
