// Listens to signals while the app does not. Beside the app's listeners there may be none of
// ours: signal-exit, which very many programs have, ends the process only if all the
// listeners of a signal belong to it.
import { process } from "./nodeprocess";

export class Signals {
  private listening = false;

  constructor(
    private readonly signals: readonly string[],
    private readonly handle: (signal: string) => void,
  ) {
    // Before Node's own, which has the system deliver a signal from its first listener on.
    process.prependListener("newListener", (signal: string, listener: unknown) => {
      if (listener !== handle && this.has(signal)) process.off(signal, handle);
    });
    // After Node's own, which has it stop once there is no listener.
    process.on("removeListener", (signal: string, listener: unknown) => {
      if (listener !== handle && this.listening && this.has(signal)) this.listen(signal);
    });
  }

  /** Whether one of these signals would end the process, if it were not for us. */
  isOurs(signal: string): boolean {
    return this.has(signal) && process.listeners(signal).every((listener) => listener === this.handle);
  }

  /** Listens from now on. To be called now and then: the app may have removed all listeners of a signal. */
  begin() {
    this.listening = true;
    for (const signal of this.signals) this.listen(signal);
  }

  end() {
    if (!this.listening) return;
    this.listening = false;
    for (const signal of this.signals) process.off(signal, this.handle);
  }

  private has(signal: string): boolean {
    return this.signals.includes(signal);
  }

  private listen(signal: string) {
    try {
      if (process.listenerCount(signal) === 0) process.on(signal, this.handle);
    } catch {
      // Not a signal of this system.
    }
  }
}
