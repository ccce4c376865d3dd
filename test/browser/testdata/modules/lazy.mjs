import { grow } from './tree.mjs';

export default (word) => {
  return `lazy ${word} ${grow(4).size}`;
};
