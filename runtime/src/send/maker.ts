// The makers that record for the sender: chunks or slices.

/** Records, and hands over to the outbox. */
export interface Maker {
  readonly active: boolean;
  /** It cannot record, now or ever. */
  readonly ended: boolean;
  begin(): void;
  /** The page may have moved on. Only if active, as the following. */
  moved(): void;
  /** Hands over what there is, and goes on. */
  flush(): void;
  /** The page is hidden or goes: everything recorded must be handed over when this returns. */
  leave(): void;
  /** Hands over what there is, and ends. */
  finish(): void;
}

export const overBudget = "profiling this page has ended: it costs more than maxOverhead";
