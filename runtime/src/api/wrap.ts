// Gives the runtime to workers whose script is a string of the page's: blob: and data: URLs,
// in which the build step sees nothing. The page's Worker is wrapped, and starts them from
// the same text with a statement before it that loads the runtime. It is a proxy, as are
// Blob and the functions that make and revoke blob: URLs, so names, prototypes, instanceof
// and subclasses stay as they are.
//
// Workers in doubt start as the page asked: URLs of files, modules (an import that fails
// would stop them), URLs from before the runtime or from another realm, trusted types.
import { apply, defineProperty } from "../core/text";

const { Worker, URL, Blob, File, atob, btoa, Proxy } = globalThis;
const { construct } = Reflect;

/** The blob of each URL that was made here, and the URL of its wrapped copy. The keys have no fragments. */
const blobs = new Map<string, Blob>();
const copies = new Map<string, string>();

/** The original of each proxy: functions look like the originals. */
const originals = new WeakMap<object, object>();

function standIn<F extends object>(original: F, handler: ProxyHandler<F>): F {
  const proxy = new Proxy(original, { __proto__: null, ...handler } as ProxyHandler<F>); // a page may give all objects what would be a trap
  originals.set(proxy, original);
  return proxy;
}

type Call = (...values: unknown[]) => unknown;

const createURL = URL?.createObjectURL.bind(URL) as Call;

/** The blobs whose text begins with "use strict", as far as their first part shows. */
const strict = new WeakSet<Blob>();

/** How much of a text is looked at for the directive; a multiple of four. */
const enough = 2000;
const directive = /^(?:\s|\/\/.*|\/\*(?:[^*]|\*(?!\/))*\*\/)*(["'])use strict\1(?!\s*(?:[-+*%&|^<>=?.,([`]|\/[^/*]))/;

/** The statement before a worker's text: it adds no line, and a policy that refuses the runtime stops nothing. */
function loading(runtime: string, isStrict: boolean): string {
  return `${isStrict ? "'use strict';" : ""}try{importScripts(${JSON.stringify(runtime)})}catch{}`;
}

/** The beginning of the text in a data: URL, if it can be read. */
function startOf(data: string, isBase64: boolean): string {
  const start = data.slice(0, enough);
  try {
    return isBase64 ? atob(start) : decodeURIComponent(start.replace(/(?:%..)*%?.?$/, "")); // no part of a character
  } catch {
    return "";
  }
}

/** The URL from which a worker starts with the runtime, or undefined if the URL is not of a string. */
function wrapped(url: string, runtime: string): string | undefined {
  const [name] = url.split("#", 1);
  const blob = blobs.get(name);
  if (blob) {
    let copy = copies.get(name);
    if (!copy) copies.set(name, (copy = createURL(new Blob([loading(runtime, strict.has(blob)), blob], { type: blob.type })) as string));
    return copy + url.slice(name.length);
  }
  const head = /^\s*data:[^,]*?(;\s*base64\s*)?,/i.exec(url);
  if (!head) return undefined;
  const data = url.slice(head[0].length);
  const statement = loading(runtime, directive.test(startOf(data, !!head[1])));
  // Three characters become four of base64, so a multiple of three goes before any text.
  const text = head[1] ? btoa(statement.padEnd(Math.ceil(statement.length / 3) * 3)) : encodeURIComponent(statement);
  return head[0] + text + data;
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
  for (const [name, value] of Object.entries(watched)) defineProperty(URL, name, { value });
}

/** No code can read a blob at once, so its first part is looked at when it is made. */
function watchBlobs() {
  const wrapper = standIn(Blob, {
    construct(target, args, newTarget) {
      const blob = construct(target, args, newTarget) as Blob;
      const [parts] = args as [unknown];
      const first: unknown = Array.isArray(parts) ? parts[0] : undefined;
      if (typeof first === "string" && directive.test(first.slice(0, enough))) strict.add(blob);
      return blob;
    },
  });
  if (Object.getPrototypeOf(File) === Blob) Object.setPrototypeOf(File, wrapper);
  replace(Blob, "Blob", wrapper);
}

/** Puts a wrapper where the constructor was. */
function replace(original: { prototype: object }, name: string, wrapper: unknown) {
  defineProperty(original.prototype, "constructor", { value: wrapper });
  defineProperty(globalThis, name, { value: wrapper });
}

/** Each shows the text of its original, and so does the function that shows it. */
function showOriginals() {
  const { prototype } = Function;
  const toString = standIn(prototype.toString, {
    apply: (target, self: object, args) => apply(target, originals.get(self) ?? self, args) as string,
  });
  defineProperty(prototype, "toString", { value: toString });
}

/** Wraps the realm's Worker, and returns the originals of what it wraps. The URL is that of runtime.js. */
export function wrapWorkers(runtime: string): object {
  if (!Worker || !Blob) return {};
  const wrapper = standIn(Worker, {
    construct(target, args, newTarget) {
      const [given] = args;
      // Trusted types are objects that only the page's policies may make.
      const isText = typeof given === "string" || given instanceof URL;
      const url = isText ? wrapped("" + given, runtime) : undefined;
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
  watchBlobs();
  watchURLs();
  showOriginals();
  replace(Worker, "Worker", wrapper);
  return { Worker, Blob, createURL };
}
