import { show } from './log.mjs';
import { even } from './even.mjs';
import { late } from './await.mjs';
import { split } from 'words';

show('cycle', even(10), even(7));
show('await', late);
show('words', split('one two  three'));

const worker = new Worker(new URL('./worker.mjs', import.meta.url), { type: 'module' });
worker.onmessage = ({ data }) => show('worker', data);
worker.postMessage(20);

const shared = new SharedWorker(new URL('./shared.mjs', import.meta.url), { type: 'module' });
shared.port.onmessage = ({ data }) => show('shared', data);
shared.port.postMessage('level');

import('./lazy.mjs').then(({ lazy }) => show('lazy', lazy()));
