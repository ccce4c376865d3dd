export function next(seed: number): number {
  return (seed * 1103 + 12345) % 65521;
}
