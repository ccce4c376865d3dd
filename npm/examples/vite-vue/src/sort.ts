/** Numbers that a seed gives, in order. */
export function sorted(count: number, seed: number): number[] {
  const numbers: number[] = [];
  let state = seed;
  for (let i = 0; i < count; i++) {
    state = (state * 1103515245 + 12345) % 2147483648;
    numbers.push(state % 100000);
  }
  return merge(numbers);
}

function merge(numbers: number[]): number[] {
  if (numbers.length < 2) return numbers;
  const middle = numbers.length >> 1;
  const [left, right] = [merge(numbers.slice(0, middle)), merge(numbers.slice(middle))];
  const result: number[] = [];
  let i = 0;
  for (const number of left) {
    while (i < right.length && right[i] < number) result.push(right[i++]);
    result.push(number);
  }
  return result.concat(right.slice(i));
}
