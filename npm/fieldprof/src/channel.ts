/** Receives from a service. */
export interface Listener {
  bytes(chunk: Uint8Array): void;
  /** The service has ended. */
  end(why: string): void;
}

/** Bytes to a service and from it: a process, or WebAssembly in a thread. */
export interface Channel {
  /** The name of the other end, for messages. */
  readonly name: string;
  /** Whether the service has access to this machine's disk. */
  readonly disk?: boolean;
  listen(listener: Listener): void;
  send(parts: Uint8Array[]): void;
  /** Sets whether an answer is awaited. If not, the process may end without it. */
  hold(awaited: boolean): void;
  /** Ends the service, and resolves when it has ended. */
  close(): Promise<void>;
}
