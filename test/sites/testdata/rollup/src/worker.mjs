import { even } from './even.mjs';

onmessage = ({ data }) => {
  let sum = 0;
  for (let n = 0; n < data; n++) sum += even(n);
  postMessage(sum);
};
