// How many requests are on their way to a service.

/** MaxRequests of package transform/service, which ends if more wait for their answers. */
const most = 64;

/** Sends requests in order, and each when the service may have one more. */
export class Queue {
  private readonly waiting = new Map<number, () => void>(); // by id
  private readonly unanswered = new Set<number>();

  /** Sends a request as soon as it may be sent. */
  add(id: number, send: () => void): void {
    this.waiting.set(id, send);
    this.advance();
  }

  /** Sends something about a request after it. */
  follow(id: number, send: () => void): void {
    const before = this.waiting.get(id);
    if (!before) return send();
    this.waiting.set(id, () => {
      before();
      send();
    });
  }

  /** Makes room: a request has its answer. */
  answered(id: number): void {
    this.unanswered.delete(id);
    this.advance();
  }

  private advance(): void {
    for (const [id, send] of this.waiting) {
      if (this.unanswered.size === most) return;
      this.waiting.delete(id);
      this.unanswered.add(id);
      send();
    }
  }
}
