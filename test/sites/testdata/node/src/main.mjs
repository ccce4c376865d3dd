import { strict as assert } from 'node:assert';
import { createServer } from 'node:http';
import { handle, known } from './routes.mjs';

// Answers a few requests of its own and ends.
const server = createServer(async (request, response) => {
  try {
    response.end(JSON.stringify(await handle(new URL(request.url, 'http://server'))));
  } catch (error) {
    response.statusCode = 500;
    response.end(`${error.name}: ${error.message}`);
  }
});
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  for (const path of ['/primes?below=50', '/sort?list=3,1,2', '/late', '/nowhere', '/fail']) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    console.log(path, response.status, await response.text());
  }
  assert.equal(known(), 4);
  server.close();
  server.closeAllConnections();
});
