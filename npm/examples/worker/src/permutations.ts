export function permutations(letters: string): string[] {
  if (letters.length < 2) return [letters];
  const all: string[] = [];
  for (let i = 0; i < letters.length; i++) {
    const rest = letters.slice(0, i) + letters.slice(i + 1);
    for (const end of permutations(rest)) all.push(letters[i] + end);
  }
  return all;
}
