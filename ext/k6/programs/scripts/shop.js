// A visitor looks at a catalogue, filters it, renders the page that the shop would show, and
// orders something.
import http from 'k6/http';
import { check, group, sleep } from 'k6';
import { Counter, Trend } from 'k6/metrics';
import { pick, total } from './lib/basket.js';

const base = __ENV.BASE;
const ordered = new Counter('ordered');
const value = new Trend('basket_value');

export const options = { scenarios: { visitors: { executor: 'shared-iterations', vus: Number(__ENV.USERS), iterations: Number(__ENV.ITERATIONS), exec: 'visit' } } };

// The page as text: most of a visit's own time.
function render(articles) {
  let html = '';
  for (let pass = 0; pass < 6; pass++) {
    html = '';
    for (let i = 0; i < articles.length; i++) {
      const a = articles[i];
      let stars = '';
      for (let s = 0; s < a.stock % 6; s++) stars += '*';
      html += '<li id="' + a.id + '">' + a.name + ' ' + a.price + stars + '</li>';
    }
  }
  return html;
}

function wanted(articles, tag) {
  return articles.filter((a) => a.stock > 3 && a.tags.indexOf(tag) >= 0);
}

export function visit() {
  let articles;
  group('browse', () => {
    const response = http.get(base + '/catalogue');
    articles = response.json();
    check(response, { 'catalogue': (r) => r.status === 200, 'complete': () => articles.length === 60 });
    const page = render(articles);
    check(page, { 'rendered': (p) => p.length > 1000 });
  });
  group('order', () => {
    const basket = pick(wanted(articles, 'a' + (__ITER % 5)), __VU + __ITER);
    value.add(total(basket));
    const response = http.post(base + '/orders', JSON.stringify(basket), { headers: { 'Content-Type': 'application/json' } });
    if (check(response, { 'ordered': (r) => r.status === 201 })) ordered.add(1);
  });
  sleep(0.005);
}
