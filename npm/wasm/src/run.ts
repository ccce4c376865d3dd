import "./wasm_exec.js"; // Go's own, from the version that the module was compiled with

/** The functions that main.go calls. */
interface Host {
  write(bytes: Uint8Array): void;
  start(read: (bytes: Uint8Array) => void, close: () => void): void;
  end(text: string): void;
}

interface Go {
  importObject: WebAssembly.Imports;
  exit: (code: number) => void;
  run(instance: WebAssembly.Instance): Promise<void>;
}

const realm = globalThis as unknown as {
  Go: new () => Go;
  fs: { writeSync(fd: number, bytes: Uint8Array): number };
  fieldprofHost?: Host;
};

/** Talks to a service in this thread. */
export interface Running {
  read(bytes: Uint8Array): void;
  close(): void;
}

/** Runs the service in this thread. */
export async function run(compiled: WebAssembly.Module, write: (bytes: Uint8Array) => void, end: (why: string) => void): Promise<Running> {
  const go = new realm.Go();
  let last = ""; // the message of a panic
  realm.fs.writeSync = (_, bytes) => {
    last = (last + new TextDecoder().decode(bytes)).slice(0, 2000);
    return bytes.length;
  };
  let over = false;
  const once = (why: string) => {
    if (!over) end(why);
    over = true;
  };
  go.exit = (code) => once(code === 0 ? "it was closed" : `it failed with code ${code}: ${last.trim()}`);
  const instance = await WebAssembly.instantiate(compiled, go.importObject);
  return new Promise((resolve, reject) => {
    realm.fieldprofHost = {
      write,
      start: (read, close) => resolve({
        read: (bytes) => {
          if (!over) read(bytes);
        },
        close: () => {
          if (!over) close();
        },
      }),
      end: (text) => once(text === "" ? "it was closed" : text),
    };
    go.run(instance).catch((error: unknown) => {
      once(String(error));
      reject(error as Error);
    });
    delete realm.fieldprofHost; // main has read it
  });
}
