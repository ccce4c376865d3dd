// Time passes here only where these functions let it: performance.now gives `moved`
// (see moved_test.go, where the rest of the page is).
function six(turns) {
  for (let i = 0; i < 6 * turns; i++) moved += 0.01;
}

function three(turns) {
  for (let i = 0; i < 3 * turns; i++) moved += 0.01;
}

function one(turns) {
  for (let i = 0; i < turns; i++) moved += 0.01;
}

/** Works for two milliseconds a round, 6 : 3 : 1. */
function work(rounds) {
  for (let i = 0; i < rounds; i++) {
    six(20);
    three(20);
    one(20);
  }
}

// Each function spends its time inside one builtin.
function parsing() { return builtin(3.7); }
function sorting() { return builtin(9.1); }
function matching() { return builtin(1.3); }
function rendering() { return builtin(5.9); }

function call(rounds) {
  for (let i = 0; i < rounds; i++) {
    parsing();
    sorting();
    matching();
    rendering();
  }
}

// Handlers that work for two milliseconds, whose outermost function only forwards,
// and so carries no checks under most presets.
function spin() {
  for (let i = 0; i < 200; i++) moved += 0.01;
}

function timerHandler() { spin(); }
function clickHandler() { spin(); }
function messageHandler() { spin(); }
