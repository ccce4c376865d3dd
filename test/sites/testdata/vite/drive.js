(async () => {
  await until(() => document.querySelector('#total'));
  const steps = [text()];
  for (const id of ['add', 'add']) {
    document.getElementById(id).click();
    await turn();
    steps.push(text());
  }
  document.getElementById('chart').click();
  document.getElementById('ask').click();
  await until(() => document.querySelector('.chart') && document.querySelector('#answer').textContent);
  document.querySelector('li button').click();
  await until(() => document.querySelector('li.done'));
  const chart = getComputedStyle(document.querySelector('.chart')).color;
  return [...steps, chart, text(), document.querySelector('.chart').dataset.total];
})()
