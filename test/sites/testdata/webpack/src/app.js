import { render } from './render';
import { fibonacci } from './shared';

const button = document.createElement('button');
button.id = 'more';
document.body.append(button);
render('app', fibonacci(15));

button.onclick = async () => {
  const { words } = await import(/* webpackChunkName: "lazy" */ './lazy');
  render('lazy', words('the quick brown fox jumps over the lazy dog'));
  const classic = new Worker(/* webpackChunkName: "classic" */ new URL('./worker.js', import.meta.url));
  classic.onmessage = ({ data }) => render('worker', data);
  classic.postMessage(18);
  const common = new Worker(/* webpackChunkName: "common" */ new URL('./common.js', import.meta.url));
  common.onmessage = ({ data }) => render('common', data);
  common.postMessage([5, 3, 9, 1]);
};
