import { solutions } from './queens.js';

const result = document.createElement('p');
const button = document.createElement('button');
result.id = 'result';
button.id = 'work';
button.textContent = 'more';
let size = 5;
button.onclick = async () => {
  const { shown } = await import('./shown.js');
  result.textContent = shown(++size, solutions(size));
};
document.body.append(button, result);
button.click();
