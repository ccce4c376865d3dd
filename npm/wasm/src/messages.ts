// Messages between a page or a program and the thread that runs the service.

/** To the thread: bytes for the service, or null for the end of its input. */
export type Question = Uint8Array | null;

/** From the thread: the service's bytes, and why it has ended. */
export type Answer = Uint8Array | { end: string };
