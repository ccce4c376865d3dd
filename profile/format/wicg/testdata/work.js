// A second of work with three functions of known proportions; see README.md.
function fibonacci(n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
function sortNumbers(n) {
  const numbers = [];
  for (let i = 0; i < n; i++) numbers.push((i * 7919) % 10007);
  return numbers.sort(function byValue(a, b) { return a - b; })[0];
}
const joinText = (n) => { let text = ""; for (let i = 0; i < n; i++) text += i.toString(36); return text.length; };
function main(ms) {
  const end = performance.now() + ms;
  let sum = 0;
  while (performance.now() < end) sum += fibonacci(22) + sortNumbers(20000) + joinText(20000);
  return sum;
}
document.title = String(main(1000)); // eslint-disable-line no-undef
