// Two functions that take as long: one in a hundred pieces with a check after each, and
// one in a single piece. No piece takes as long as the one before it, or each would be at
// the same place in a step of the clock.
function dense() {
  for (let i = 0; i < 100; i++) clock.ms += 0.002 * (0.5 + ((clock.ms * 618.034) % 1));
}
function sparse() {
  for (let i = 0; i < 1; i++) clock.ms += 0.2 * (0.5 + ((clock.ms * 618.034) % 1));
}
function work(times) {
  for (let i = 0; i < times; i++) {
    dense();
    sparse();
  }
}
