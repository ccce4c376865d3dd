(async () => {
  await until(() => document.querySelector('#add'));
  const steps = [text()];
  document.querySelector('#add').click();
  document.querySelector('#add').click();
  await turn();
  document.querySelectorAll('.item')[1].click();
  await turn();
  steps.push(text());
  document.querySelector('#ask').click();
  await until(() => document.querySelector('#detail')?.textContent);
  const { active } = navigator.serviceWorker ? await navigator.serviceWorker.ready : {};
  return [...steps, text(), active?.scriptURL.endsWith('/sw.js'), getComputedStyle(document.querySelector('#total')).color];
})()
