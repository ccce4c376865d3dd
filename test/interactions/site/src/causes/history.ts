// Garbage: objects that live for a moment, and keep the collector busy.
import { show, slowly } from '../calibrate';

interface Step {
  before: Step | null;
  text: string;
  at: number[];
}

export function onHistory(): void {
  let kept: Step | null = null;
  slowly(() => (kept = copyHistory()));
  show(kept!.text);
}

function copyHistory(): Step {
  let last: Step = { before: null, text: '', at: [] };
  for (let i = 0; i < 20000; i++) {
    last = { before: i % 500 ? last : null, text: `step ${i}`, at: [i, i + 1, i + 2] };
  }
  return last;
}
