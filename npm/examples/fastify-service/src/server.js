// Orders on Fastify. Samples have the route, the method and the tenant of the request.
import { fastifyLabels } from "@fieldprof/runtime/node";
import Fastify from "fastify";
import { priceOf, report } from "./orders.js";

const app = Fastify();
app.register(fastifyLabels, { labels: (request) => ({ tenant: request.headers["x-tenant"] ?? "none" }) });

app.get("/orders/:id", async ({ params }) => ({ id: params.id, cents: priceOf(Number(params.id)) }));
app.post("/orders", async ({ body }, reply) => {
  await null; // a database
  return reply.code(201).send({ cents: priceOf(body.id) });
});
app.get("/reports/:month", async ({ params }) => report(params.month));

await app.listen({ port: Number(process.env.PORT ?? 0), host: "127.0.0.1" });
console.log(`http://127.0.0.1:${app.server.address().port}/`);
process.once("SIGTERM", () => app.close().then(() => process.exit()));
