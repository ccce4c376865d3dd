// This module and the next import each other: twice runs before this module does.
import { second } from './second';

export function twice(x: number): number {
  let sum = 0;
  for (let i = 0; i < 2; i++) sum += x;
  return sum;
}

Object.assign(window, { second });
