import { fibonacci } from './shared';

self.onmessage = ({ data }) => {
  const list = [];
  for (let n = 0; n < data; n++) list.push(fibonacci(n));
  self.postMessage(list.join());
};
