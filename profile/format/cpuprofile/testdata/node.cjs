// The program of which testdata/node.cpuprofile is a profile:
//   node --cpu-prof --cpu-prof-interval 1000 --cpu-prof-name node.cpuprofile node.cjs
function fibonacci(n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
function sortWords(n) {
  const words = [];
  for (let i = 0; i < n; i++) words.push(String((i * 7919) % n));
  return words.sort((a, b) => a.localeCompare(b)).length;
}
let sum = 0;
for (let i = 0; i < 1e6; i++) sum = (sum + i * i) % 1000003;
setTimeout(() => console.log(fibonacci(30), sortWords(20000), sum), 30);
