const button = document.getElementById('count');
let clicks = 0;

function mix(turns) {
  let sum = 1;
  for (let i = 0; i < turns; i++) sum = (sum * 31 + i) % 65521;
  return sum;
}

button.addEventListener('click', () => {
  clicks++;
  button.textContent = `${clicks}: ${mix(1e7)}`;
  button.dataset.clicks = clicks;
});
document.getElementById('name').addEventListener('keydown', ({ key }) => {
  document.body.dataset.key = key;
});

// Until a tick has come: a recording has a sample.
const began = performance.now();
while (performance.now() - began < 60) mix(1e4);
performance.mark('ready');
