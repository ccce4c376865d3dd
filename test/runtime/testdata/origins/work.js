function work() {
  const end = performance.now() + 60;
  while (performance.now() < end);
}
