(async () => {
  await until(() => document.getElementById('second') && document.getElementById('more'));
  const before = text();
  document.getElementById('more').click();
  await until(() => ['lazy', 'worker', 'common'].every((id) => document.getElementById(id)));
  return [before, ...[...document.querySelectorAll('p')].map((line) => line.textContent).sort()];
})()
