export function render(name, value) {
  const line = document.createElement('p');
  line.id = name;
  line.textContent = `${name}: ${value}`;
  document.body.append(line);
  return line;
}
