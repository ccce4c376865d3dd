// Counts requests, and reads of what they answer, until they are done.
import { later } from "../core/timers";

export type Counter = { count: number; release(): void };

type Call = (this: object, ...values: unknown[]) => unknown;
/** An object whose methods are replaced. */
type Methods = Record<PropertyKey, Call>;

const { fetch } = globalThis;

/** Replaces the page's functions by ones that count. */
export function installRequests(pending: Counter) {
  const counting = (call: Call): Call =>
    function (...values) {
      pending.count++;
      const done = () => later(pending.release, 0); // after the code that awaits it
      const result = call.apply(this, values) as Promise<unknown>;
      result.then(done, done);
      return result;
    };
  globalThis.fetch = counting(fetch as Call) as typeof fetch;
  for (const method of ["arrayBuffer", "blob", "bytes", "formData", "json", "text"]) replace(Response.prototype, method, counting);
  installBodies(counting);
  installXHR(pending);
}

function replace(on: object | undefined, name: PropertyKey, by: (call: Call) => Call) {
  const call = on && (on as Methods)[name];
  if (call) (on as Methods)[name] = by(call); // browsers do not have all of them
}

/**
 * Counts reads of responses as streams, and of what is made of them. A read of any other stream
 * may wait forever, for what only the program could write.
 */
function installBodies(counting: (call: Call) => Call) {
  const { ReadableStream, ReadableStreamDefaultReader, ReadableStreamBYOBReader } = globalThis;
  const bodies = new WeakSet<object>(); // with their readers and iterators
  const stream = ReadableStream.prototype;
  const body = Object.getOwnPropertyDescriptor(Response.prototype, "body")!;
  Object.defineProperty(Response.prototype, "body", {
    ...body,
    get(this: object) {
      const found = body.get!.call(this) as ReadableStream | null;
      if (found) bodies.add(found);
      return found;
    },
  });
  const passingOn = (call: Call): Call =>
    function (...values) {
      const made = call.apply(this, values) as object;
      if (bodies.has(this)) for (const one of Array.isArray(made) ? (made as object[]) : [made]) bodies.add(one);
      return made;
    };
  const ifOfBody = (call: Call): Call => {
    const counted = counting(call);
    return function (...values) {
      return (bodies.has(this) ? counted : call).apply(this, values);
    };
  };
  const iterator = (stream as { values?: Call }).values?.call(new ReadableStream()) as object | undefined;
  for (const method of ["getReader", "pipeThrough", "tee", "values", Symbol.asyncIterator]) replace(stream, method, passingOn);
  replace(stream, "pipeTo", ifOfBody);
  replace(ReadableStreamDefaultReader.prototype, "read", ifOfBody);
  replace(ReadableStreamBYOBReader?.prototype, "read", ifOfBody);
  replace(iterator && (Object.getPrototypeOf(iterator) as object), "next", ifOfBody);
}

function installXHR(pending: Counter) {
  const { prototype } = XMLHttpRequest;
  const { open, send } = prototype;
  const underWay = new WeakMap<XMLHttpRequest, () => void>();
  prototype.open = function (this: XMLHttpRequest, ...values: unknown[]) {
    open.apply(this, values as Parameters<typeof open>);
    underWay.get(this)?.(); // this ends a request, and no event reports it
  };
  prototype.send = function (body) {
    let isOver = false;
    const done = () => {
      if (!isOver) later(pending.release, 0);
      isOver = true;
    };
    pending.count++;
    this.addEventListener("loadend", done, { once: true });
    try {
      send.call(this, body);
      underWay.set(this, done);
    } catch (error) {
      done(); // no event reports it
      throw error;
    }
  };
}
