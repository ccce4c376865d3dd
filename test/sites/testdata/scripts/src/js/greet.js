export function greet(name, list) {
  let text = `${name}:`;
  for (const item of list) text += ` ${item}`;
  return text;
}
