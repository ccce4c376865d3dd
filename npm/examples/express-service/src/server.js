// Orders on Express. Samples have the route, the method and the tenant of the request.
import { expressLabels } from "@fieldprof/runtime/node";
import express from "express";
import { priceOf, report } from "./orders.js";

const app = express();
app.use(expressLabels({ labels: (request) => ({ tenant: request.get("x-tenant") ?? "none" }) }));
app.use(express.json());

app.get("/orders/:id", (request, response) => {
  response.json({ id: request.params.id, cents: priceOf(Number(request.params.id)) });
});
app.post("/orders", async (request, response) => {
  await null; // a database
  response.status(201).json({ cents: priceOf(request.body.id) });
});
app.get("/reports/:month", (request, response) => {
  response.type("text").send(report(request.params.month));
});

const server = app.listen(Number(process.env.PORT ?? 0), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${server.address().port}/`);
});
process.once("SIGTERM", () => server.close(() => process.exit()));
