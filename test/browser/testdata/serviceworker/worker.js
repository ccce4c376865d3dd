let greeted = 0;

function greet(name) {
  for (let i = 0; i < 1; i++) greeted++;
  return `hello ${name}, number ${greeted}`;
}

addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => {
  const name = new URL(event.request.url).pathname.split('/greeting/')[1];
  if (name) event.respondWith(new Response(greet(name)));
});
