// Labels for the requests of web frameworks: the method and the route's pattern. The
// frameworks themselves are not imported.
import { under, valueOf, valuesOf, within, type Labels, type LabelSet } from "./labels";
import { say, Trouble } from "./say";

/** The labels that a service may add to those of its requests. */
export interface RequestLabels<Request> {
  /** More labels of a request, for example its tenant. If it throws, that is reported once, and the request goes on. */
  labels?: (request: Request) => Labels;
}

/** The route of requests that no route has answered. */
const unmatched = "(none)";

const trouble = new Trouble(say, "");

function open<Request extends { method: string }>(request: Request, options: RequestLabels<Request> | undefined): LabelSet {
  const { method } = request;
  try {
    const more: unknown = options?.labels?.(request);
    if (typeof (more as { then?: unknown } | undefined)?.then === "function") {
      Promise.resolve(more).catch(() => {}); // nothing else handles its rejection
      throw new Error("they are a promise");
    }
    return within({ method, ...(more as Labels | undefined) });
  } catch (error) {
    trouble.begin(`labels of a request: ${reason(error)}: it has its method and route alone`);
    return within({ method });
  }
}

/** The text of an error; anything may have been thrown. */
function reason(error: unknown): string {
  try {
    return String(error);
  } catch {
    return "an error";
  }
}

/** Asks for the route at each sample, since it is known only once the request is routed; a sample must not keep the request. */
function follow(set: LabelSet, response: Ending, route: () => unknown) {
  set.late = () => {
    const found = route();
    if (found !== undefined && found !== null) set.values.route = valueOf(found);
  };
  response.once("close", () => {
    try {
      if (!set.values.route) set.late?.();
    } catch {
      // A property that the framework has replaced threw.
    }
    set.values.route ||= unmatched;
    set.late = undefined;
  });
}

interface Ending {
  once(event: "close", done: () => void): unknown;
}

/** The parts that we read of a request of Express. */
export interface ExpressRequest {
  method: string;
  baseUrl: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as Express declares it
  route?: any;
}

/** Middleware for Express 4 and 5: `app.use(expressLabels())`, before the routes. */
export function expressLabels<Request extends ExpressRequest = ExpressRequest>(options?: RequestLabels<Request>) {
  return (request: Request, response: Ending, next: () => void): void => {
    const set = open(request, options);
    let known: unknown;
    follow(set, response, () => {
      // A route that passes the request on stays its route, but the path of its router is gone.
      if (request.route === known) return undefined;
      known = request.route;
      const path: unknown = request.route?.path;
      return path === undefined ? undefined : patternOf(request.baseUrl) + String(path);
    });
    under(set, next);
  };
}

/** The path at which a router is mounted: Express gives it as it was requested, with the values of its parameters. */
function patternOf(path: string): string {
  return path.replace(/\/(?:\d+|[\da-f]{8,}(?:-[\da-f]+)*|[^/]{40,})(?=\/|$)/gi, "/:id");
}

/** The parts that we read of a request of Fastify. */
export interface FastifyRequest {
  method: string;
  routeOptions?: { url?: string };
  /** Its route before 4.10. */
  routerPath?: string;
}

/** A plugin for Fastify 4 and 5: `app.register(fastifyLabels)`. */
export const fastifyLabels = Object.assign(
  <Request extends FastifyRequest = FastifyRequest>(instance: { addHook: (...hook: never[]) => unknown }, options: RequestLabels<Request> | undefined, done: () => void): void => {
    const sets = new WeakMap<object, LabelSet>();
    const on = instance.addHook.bind(instance) as unknown as (event: string, hook: (request: Request, reply: unknown, next: () => void) => void) => void;
    on("onRequest", (request, _reply, next) => {
      const set = open(request, options);
      set.values.route = valueOf(request.routeOptions?.url ?? request.routerPath ?? unmatched);
      sets.set(request, set);
      under(set, next);
    });
    // A body arrives in the context of its connection.
    on("preValidation", (request, _reply, next) => {
      const set = sets.get(request);
      if (set) under(set, next);
      else next();
    });
    done();
  },
  { [Symbol.for("skip-override")]: true, [Symbol.for("fastify.display-name")]: "fieldprof" }, // it holds for the whole app
);

/** The parts that we read of a context of Koa, and of its router. */
export interface KoaContext {
  method: string;
  res: Ending;
  _matchedRoute?: unknown;
  routerPath?: unknown;
}

/** Middleware for Koa, with or without `@koa/router`: `app.use(koaLabels())`, before the routes. */
export function koaLabels<Context extends KoaContext = KoaContext>(options?: RequestLabels<Context>) {
  return (context: Context, next: () => Promise<unknown>): Promise<unknown> => {
    const set = open(context, options);
    follow(set, context.res, () => context._matchedRoute ?? context.routerPath);
    return under(set, next);
  };
}

/** The labels around the caller. */
export function labelsNow(): Record<string, string> {
  return valuesOf(within({}));
}
