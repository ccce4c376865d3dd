function greet(name) {
  let text = '';
  for (const letter of name) text = letter + text;
  return `hello ${text}`;
}
