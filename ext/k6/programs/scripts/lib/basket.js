export function pick(articles, seed) {
  const basket = [];
  for (const article of articles) {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    if (seed % 3 === 0) basket.push({ id: article.id, price: article.price, pieces: 1 + (seed % 4) });
  }
  return basket;
}

export function total(basket) {
  return basket.reduce((sum, line) => sum + line.price * line.pieces, 0);
}
