function count(text: string) {
  const counts: Record<string, number> = {};
  for (const letter of text) counts[letter] = (counts[letter] ?? 0) + 1;
  return JSON.stringify(counts);
}
addEventListener('message', ({ data }) => postMessage(count(data)));
