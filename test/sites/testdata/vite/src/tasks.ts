export interface Task {
  name: string;
  minutes: number;
  done: boolean;
}

export type Action = { type: 'add'; name: string; minutes: number } | { type: 'done'; name: string };

export function reduce(tasks: Task[], action: Action): Task[] {
  switch (action.type) {
    case 'add':
      return [...tasks, { name: action.name, minutes: action.minutes, done: false }];
    case 'done':
      return tasks.map((task) => (task.name === action.name ? { ...task, done: true } : task));
  }
}

export function total(tasks: Task[]): number {
  let sum = 0;
  for (const task of tasks) if (!task.done) sum += task.minutes;
  return sum;
}
