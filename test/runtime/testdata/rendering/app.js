// As in React: the function that the event loop enters is small, and so is the one that it
// calls; the first function that every preset checks is below both.
const root = document.body.appendChild(document.createElement('div'));
for (let i = 0; i < 5000; i++) root.append(Object.assign(document.createElement('span'), { textContent: ` word ${i}`, style: 'display: inline-block' }));
root.setAttribute('data-depth', '3');

function nearest(node) {
  let at = node;
  while (at && !at.getAttribute('data-depth')) at = at.parentNode;
  return at;
}
function find(event) {
  return nearest(event.target.lastChild);
}
function dispatch(event) {
  window.found = find(event);
}
root.addEventListener('press', dispatch);
