// Answers /primes/N with the number of primes below N. With --once it asks itself
// once, prints the answer and ends.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { primesBelow } from "./primes";

const server = createServer((request, response) => {
  const limit = Number(request.url?.match(/^\/primes\/(\d+)$/)?.[1]);
  if (!(limit <= 5e6)) {
    response.writeHead(404).end();
    return;
  }
  response.setHeader("Content-Type", "application/json");
  response.end(JSON.stringify({ limit, primes: primesBelow(limit).length }));
});

server.listen(Number(process.env.PORT ?? 0), "127.0.0.1", async () => {
  const { port } = server.address() as AddressInfo;
  if (!process.argv.includes("--once")) {
    console.log(`http://127.0.0.1:${port}/primes/100000`);
    return;
  }
  const answer = await fetch(`http://127.0.0.1:${port}/primes/3000000`, { headers: { connection: "close" } });
  console.log(await answer.text());
  server.close();
});
