import { StrictMode, Suspense, lazy, useReducer, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { type Task, reduce, total } from './tasks';
import './main.css';

const Chart = lazy(() => import('./Chart'));

function Row({ task, done }: { task: Task; done(): void }) {
  return (
    <li className={task.done ? 'done' : ''}>
      <button onClick={done}>{task.name}</button> {task.minutes}
    </li>
  );
}

function App() {
  const [tasks, dispatch] = useReducer(reduce, [
    { name: 'sieve', minutes: 25, done: false },
    { name: 'sort', minutes: 10, done: false },
  ]);
  const [chart, setChart] = useState(false);
  const [answer, setAnswer] = useState('');
  function ask() {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }) => setAnswer(String(data));
    worker.postMessage(5000);
  }
  return (
    <main>
      <ul>
        {tasks.map((task) => (
          <Row key={task.name} task={task} done={() => dispatch({ type: 'done', name: task.name })} />
        ))}
      </ul>
      <p id="total">{total(tasks)} minutes</p>
      <button id="add" onClick={() => dispatch({ type: 'add', name: `task ${tasks.length}`, minutes: 7 })} />
      <button id="chart" onClick={() => setChart(true)} />
      <button id="ask" onClick={ask} />
      <p id="answer">{answer}</p>
      <Suspense fallback="…">{chart && <Chart tasks={tasks} />}</Suspense>
    </main>
  );
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
console.log('rendered', document.baseURI.endsWith('/index.html'));
