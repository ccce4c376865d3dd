// The service, as builds use it.
import { start, type Options, type Result, type Service, type Target, type TreeFile, type Written } from "fieldprof";

/** A service, and the questions that it has not answered yet. */
interface Running {
  service: Promise<Service>;
  asked: Set<Promise<unknown>>;
}

/** Starts the service on first use, and again if it has failed. Several builds may use one at the same time. */
export class Session {
  private running: Running | undefined;

  constructor(private readonly options: Options) {}

  /** A text that identifies the version and the options that change output; also checks the options. */
  salt(options: Options = {}): Promise<string> {
    return this.ask((service) => service.salt({ ...this.options, ...options }));
  }

  /** Instruments the files of an output folder. */
  instrument(files: TreeFile[], options: Options = {}): Promise<Result> {
    return this.ask((service) => service.instrument(files, { ...this.options, ...options }));
  }

  /** Whether the service has access to the disk, and so can write. */
  disk(): Promise<boolean> {
    return this.ask(async (service) => service.disk);
  }

  /** Instruments the files of an output folder, and writes them. */
  write(files: TreeFile[], target: Target, options: Options = {}): Promise<Written> {
    return this.ask((service) => service.write(files, target, { ...this.options, ...options }));
  }

  private async ask<Answer>(question: (service: Service) => Promise<Answer>): Promise<Answer> {
    const running = (this.running ??= { service: start(), asked: new Set() });
    const answer = running.service.then(question);
    running.asked.add(answer);
    try {
      return await answer;
    } catch (error) {
      if (!isOption(error) && !isWriting(error) && this.running === running) void this.stop();
      throw error;
    } finally {
      running.asked.delete(answer);
    }
  }

  /** Stops the service when it has answered all that other builds have asked; the next question starts another. */
  async stop(): Promise<void> {
    const { running } = this;
    if (!running) return;
    this.running = undefined;
    await Promise.allSettled(running.asked);
    await running.service.then((service) => service.stop()).catch(() => {});
  }
}

/** Whether a wrong option caused it: then every build of the context fails. */
export function isOption(error: unknown): boolean {
  return typeof (error as { option?: unknown } | undefined)?.option === "string";
}

/** Whether the disk failed, rather than the service. */
export function isWriting(error: unknown): boolean {
  return (error as { writing?: unknown } | undefined)?.writing === true;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
