// Gives the runtime to workers whose script is a string of the page's: blob: and data: URLs,
// in which the build step sees nothing. The page's Worker is wrapped, and starts them from
// the same text with a statement before it that loads the runtime. It is a proxy, as are
// the functions that make and revoke blob: URLs, so names, prototypes, instanceof and
// subclasses stay as they are.
//
// Whatever is in doubt starts as the page asked: URLs of files, modules (an import that fails
// would stop them), URLs from before the runtime or from another realm, trusted types.
import { apply, defineProperty } from "../core/text";

const { Worker, URL, Blob, btoa, Proxy } = globalThis;
const { construct } = Reflect;

/** The blobs behind the URLs that were made here, and the URLs of their wrapped copies. */
const blobs = new Map<string, Blob>();
const copies = new Map<string, string>();

/** What a proxy stands for: functions look like the originals. */
const originals = new WeakMap<object, object>();

function standIn<F extends object>(original: F, handler: ProxyHandler<F>): F {
  const proxy = new Proxy(original, handler);
  originals.set(proxy, original);
  return proxy;
}

type Call = (...values: unknown[]) => unknown;

const createURL = URL?.createObjectURL.bind(URL) as Call;

/** The statement before a worker's text. It adds no line, and a policy that refuses the runtime stops nothing. */
const loading = (runtime: string) => `try{importScripts(${JSON.stringify(runtime)})}catch{}`;

/** The URL from which a worker starts with the statement, or undefined if the URL is not of a string. */
function wrapped(url: string, statement: string): string | undefined {
  const blob = blobs.get(url.replace(/#.*/, ""));
  if (blob) {
    let copy = copies.get(url);
    if (!copy) copies.set(url, (copy = createURL(new Blob([statement, blob], { type: blob.type })) as string));
    return copy;
  }
  const head = /^\s*data:[^,]*?(;\s*base64\s*)?,/i.exec(url);
  if (!head) return undefined;
  // Three characters become four of base64, so a multiple of three goes before any text.
  const text = head[1] ? btoa(statement.padEnd(Math.ceil(statement.length / 3) * 3)) : encodeURIComponent(statement);
  return head[0] + text + url.slice(head[0].length);
}

/** The options, each read once, in order, and converted as it is read, as WebIDL says. */
function read(options: unknown): Record<string, string> {
  if (Object(options) !== options) return options as Record<string, never>; // an error, or none
  const found: Record<string, string> = {};
  for (const name of ["credentials", "name", "type"]) {
    const value = (options as Record<string, unknown>)[name];
    if (value !== undefined) found[name] = "" + value;
  }
  return found;
}

function watchURLs() {
  const { createObjectURL, revokeObjectURL } = URL;
  const watched = {
    createObjectURL: standIn(createObjectURL as Call, {
      apply(target, self, args) {
        const url = apply(target, self, args) as string;
        if (args[0] instanceof Blob) blobs.set(url, args[0]);
        return url;
      },
    }),
    revokeObjectURL: standIn(revokeObjectURL as Call, {
      apply(target, self, args) {
        const url = args.length ? ["" + args[0]] : [];
        const copy = copies.get(url[0]);
        if (copy) apply(target, self, [copy]);
        copies.delete(url[0]);
        blobs.delete(url[0]);
        return apply(target, self, url);
      },
    }),
  };
  defineProperty(URL, "createObjectURL", { value: watched.createObjectURL });
  defineProperty(URL, "revokeObjectURL", { value: watched.revokeObjectURL });
}

/** As in core/text.ts, whose toString this one calls. */
function showOriginals() {
  const { prototype } = Function;
  const before = prototype.toString;
  const { toString } = class {
    static toString() {
      const self = this as unknown as object;
      return apply(before, self === toString ? before : (originals.get(self) ?? self), []);
    }
  };
  defineProperty(prototype, "toString", { value: toString });
}

/** Wraps the realm's Worker. The URL is that of runtime.js. */
export function wrapWorkers(runtime: string) {
  if (!Worker || !Blob) return;
  const statement = loading(runtime);
  const wrapper = standIn(Worker, {
    construct(target, args, newTarget) {
      const [given] = args;
      // Trusted types are objects that only the page's policies may make.
      const isText = typeof given === "string" || given instanceof URL;
      const url = isText ? wrapped("" + given, statement) : undefined;
      if (!url) return construct(target, args, newTarget);
      const options = read(args[1]);
      const plain = ["" + given, options];
      if (options?.type === "module") return construct(target, plain, newTarget);
      try {
        return construct(target, [url, options], newTarget);
      } catch {
        return construct(target, plain, newTarget);
      }
    },
  });
  watchURLs();
  showOriginals();
  defineProperty(Worker.prototype, "constructor", { value: wrapper });
  defineProperty(globalThis, "Worker", { value: wrapper });
}
