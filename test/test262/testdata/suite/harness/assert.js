function assert(condition, message) {
  if (!condition) throw new Test262Error(message || 'not true');
}
