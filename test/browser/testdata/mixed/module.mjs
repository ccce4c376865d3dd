const squares = (n) => Array.from({ length: n }, (_, i) => i * i);

export function total(n) {
  for (let i = 0; i < 10; i++) squares(i);
  return window.sum(squares(n));
}

console.log('total', total(5));
window.result = { total: total(10) };
