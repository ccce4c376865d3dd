// Forced layout in a loop: each turn changes the page and reads it back.
import { show, slowly } from '../calibrate';

export function onAlign(): void {
  let width = 0;
  slowly(() => (width += alignRows()));
  show(width);
}

function alignRows(): number {
  const { children } = document.getElementById('rows')!;
  let width = 0;
  for (let i = 0; i < children.length; i++) {
    const row = children[i] as HTMLElement;
    row.style.width = `${100 + ((width + i) % 50)}px`;
    width += row.offsetWidth;
  }
  return width;
}
