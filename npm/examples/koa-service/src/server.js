// Orders on Koa. Samples have the route, the method and the tenant of the request.
import { json } from "node:stream/consumers";
import { koaLabels } from "@fieldprof/runtime/node";
import Router from "@koa/router";
import Koa from "koa";
import { priceOf, report } from "./orders.js";

const router = new Router();
router.get("/orders/:id", showOrder);
router.post("/orders", takeOrder);
router.get("/reports/:month", (context) => {
  context.body = report(context.params.month);
});

function showOrder(context) {
  const { id } = context.params;
  context.body = { id, cents: priceOf(Number(id)) };
}

async function takeOrder(context) {
  const order = await json(context.req);
  context.status = 201;
  context.body = { cents: priceOf(order.id) };
}

const app = new Koa();
app.use(koaLabels({ labels: (context) => ({ tenant: context.get("x-tenant") || "none" }) }));
app.use(router.routes());

const server = app.listen(Number(process.env.PORT ?? 0), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${server.address().port}/`);
});
process.once("SIGTERM", () => server.close(() => process.exit()));
