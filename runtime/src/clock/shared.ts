// The clock with shared memory: the coordinator's worker raises the flag.
import { checks } from "../core/flag";
import { Idle, Program } from "../core/kinds";
import { now } from "../core/real";
import type { Coordinator } from "./coordinator";
import type { Source, TickLog } from "./source";

/** If a ping takes longer than this, in milliseconds, the thread was busy. */
const slowPing = 4;

export class Shared implements Source {
  private missed = 0; // how many missed deadlines are on the tape
  private own = 0; // ticks that were raised during captures

  constructor(
    private tape: TickLog,
    readonly coordinator: Coordinator,
  ) {}

  take(_: number, raised: number): [due: number, ticks: number] {
    return [this.due(), raised];
  }

  /**
   * The flag itself says which check looks. A tick of the capture is nobody's: the next check,
   * which is often one of whoever called the function that was sampled, would take it.
   */
  pace() {
    this.own += this.coordinator.drop();
  }

  run(interval: number) {
    checks.flag[0] = 0;
    this.coordinator.run(interval);
  }

  settle(busy?: boolean) {
    if (!this.tape.interval) return;
    const due = this.due();
    const time = now();
    const ticks = this.coordinator.clear();
    const missed = this.coordinator.board.missed + this.own;
    if (ticks > 0 || missed > this.missed) {
      this.tape.add(time, due, ticks, busy || time - due > slowPing ? Program : Idle, null, missed - this.missed);
    }
    this.missed = missed;
  }

  private due() {
    return this.coordinator.board.due - performance.timeOrigin;
  }
}
