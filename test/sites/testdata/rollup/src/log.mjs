export function show(name, ...values) {
  const line = document.createElement('p');
  line.textContent = [name, ...values].join(' ');
  document.querySelector('output').append(line);
}
