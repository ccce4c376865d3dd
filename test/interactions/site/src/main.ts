// The shop: a page of eight buttons, each slow for a cause that the tests know.
import { mount } from 'tinyview';
import { onFilter } from './causes/filter';
import { onPrice } from './causes/basket';
import { onIndex } from './causes/search';
import { onSort } from './causes/sort';
import { onLoad, prepare } from './causes/catalogue';
import { onAlign } from './causes/layout';
import { onHistory } from './causes/history';

const rows = document.getElementById('rows')!;
for (let i = 0; i < 200; i++) rows.append(document.createElement('p'));
prepare();

// One listener at the root hears for the buttons of the view; the others have their own.
mount(document.getElementById('shop')!, { price: onPrice });
const own: Record<string, () => void> = { filter: onFilter, index: onIndex, sort: onSort, load: onLoad, align: onAlign, history: onHistory };
for (const [id, listener] of Object.entries(own)) document.getElementById(id)!.addEventListener('click', listener);
