function fibonacci(n, each) {
  each();
  return n < 2 ? n : fibonacci(n - 1, each) + fibonacci(n - 2, each);
}

for (let i = 0; i < 3; i++) fibonacci(i, () => {});
