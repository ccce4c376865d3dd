// A stack as it is captured, and as it is read.

/**
 * A frame as the engine wrote it. Line and column count from 1 (0: unknown),
 * columns in UTF-16 units. Interned: one object for each distinct frame.
 */
export interface Frame {
  readonly url: string;
  readonly line: number;
  readonly column: number;
  readonly name: string;
  /** Where its function begins, which only V8 tells; 0 or undefined: unknown. */
  readonly startLine?: number;
  readonly startColumn?: number;
}

/** A stack: its innermost frame, and the stack of its caller. Interned. */
export interface Stack {
  readonly frame: Frame;
  readonly parent: Stack | null;
  /** Whether its scripts are among those that trace/early.ts has met. */
  met?: boolean;
}

/** One captured stack. Until it is formatted it holds the Error. */
export interface Capture<S = unknown> {
  /** Null once formatted, or when there was no room to keep it. */
  error: Error | null;
  /** How many frames on top are our own. */
  readonly hidden: number;
  stack: S | null;
  /** Whose work it was: node/labels.ts. */
  labels?: unknown;
}
