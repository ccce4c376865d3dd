const { setTimeout } = globalThis;

/** The page's own timer, which does not count as one of the program's. */
export const later = (task: () => void, ms: number) => void setTimeout(task, ms);
