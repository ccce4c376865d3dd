importScripts('fibonacci.js');

onmessage = (event) => {
  let calls = 0;
  const value = fibonacci(event.data, () => calls++);
  postMessage({ value, calls });
};
