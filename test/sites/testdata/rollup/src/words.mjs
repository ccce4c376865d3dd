export function split(text) {
  const list = [];
  for (const match of text.matchAll(/\S+/g)) list.push(match[0]);
  return list.join('|');
}
