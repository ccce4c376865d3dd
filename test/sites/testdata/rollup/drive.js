(async () => {
  const names = ['cycle', 'await', 'words', 'worker', 'shared', 'lazy', 'inline'];
  const lines = () => [...document.querySelectorAll('p')].map((line) => line.textContent);
  await until(() => names.every((name) => lines().some((line) => line.startsWith(name))));
  return lines().sort();
})()
