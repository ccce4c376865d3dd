(async () => {
  const ids = ['a', 'b', 'dynamic', 'blob'];
  await until(() => ids.every((id) => document.getElementById(id)));
  return [document.querySelector('table').innerText, ...ids.map((id) => document.getElementById(id).textContent)];
})()
