function sums(limit: number): number {
  let sum = 0;
  for (let i = 0; i < limit; i++) sum = (sum * 31 + i) % 65521;
  return sum;
}

function work() {
  sums(300000);
  setTimeout(work, 4);
}

work();
