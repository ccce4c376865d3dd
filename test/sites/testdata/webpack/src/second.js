import { render } from './render';
import { fibonacci } from './shared';

render('second', fibonacci(12));
console.log('second', [1, 2, 3].map((n) => fibonacci(n)).join());
