// Keeps the flag of this realm up, so that every check captures, and tells the
// server of the first sample of each kind.
(() => {
  const checks = globalThis.__fieldprof;
  const told = new Set();
  checks.recorder = (site) => {
    const kind = site % 3; // leaves have kinds of their own
    if (!told.has(kind)) {
      told.add(kind);
      fetch(`/seen?realm=${location.pathname}&kind=${kind}`);
    }
    checks.flag[0] = 1;
  };
  checks.flag[0] = 1;
})();
