// Runs until it is interrupted.
function steps(n) {
  let count = 0;
  for (; n !== 1; count++) n = n % 2 ? 3 * n + 1 : n / 2;
  return count;
}

function longest(limit) {
  let most = 0;
  for (let n = 1; n < limit; n++) most = Math.max(most, steps(n));
  return most;
}

function step() {
  longest(3000);
  setTimeout(step, 1);
}

step();
