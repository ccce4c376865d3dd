import { useMemo } from 'react';
import { type Task, total } from './tasks';
import './chart.css';

function* bars(tasks: Task[]) {
  for (const { name, minutes } of tasks) yield `${name}:${'#'.repeat(minutes)}`;
}

export default function Chart({ tasks }: { tasks: Task[] }) {
  const lines = useMemo(() => [...bars(tasks)], [tasks]);
  return (
    <pre className="chart" data-total={total(tasks)}>
      {lines.join('\n')}
    </pre>
  );
}
