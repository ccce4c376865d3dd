const inner = new Worker('worker.js');
inner.onmessage = ({ data }) => postMessage(data);
inner.onerror = () => postMessage({ error: 'the inner worker failed' });
