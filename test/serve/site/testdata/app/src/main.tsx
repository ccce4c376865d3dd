import { createRoot } from 'react-dom/client';
import { Counter } from './Counter';
import './first';

createRoot(document.getElementById('root')!).render(<Counter />);

const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
worker.onmessage = ({ data }) => {
  Object.assign(window, { worker: data });
};
