// The clock with shared memory: the coordinator's worker raises the flag.
import { checks } from "../core/flag";
import { Idle, Program, type Site } from "../core/kinds";
import { now } from "../core/real";
import { rest } from "./board";
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

  /**
   * A thread that wakes for a request gets to its checks before it gets to the ping of the
   * tick that was due while it rested. That tick is idle time, and not the check's.
   */
  take(time: number, raised: number): [due: number, ticks: number] {
    const { due } = this.coordinator;
    if (!this.rested()) return [due, raised];
    this.tape.add(time, due, 1, Idle, null, 0);
    return [Math.min(time, due + this.tape.interval), raised - 1];
  }

  /**
   * The flag itself says which check looks. A tick of the capture belongs to no function: the next check,
   * which is often in the caller of the function that was sampled, would take it.
   */
  pace(_: number, site: Site) {
    this.own += this.coordinator.drop();
    checks.left[site] = 0; // it counts down, and would overflow after some weeks
  }

  run(interval: number) {
    checks.flag[0] = 0;
    this.coordinator.run(interval);
  }

  settle(busy?: boolean) {
    if (!this.tape.interval) return;
    const { due } = this.coordinator;
    const time = now();
    const ticks = this.coordinator.clear();
    const missed = this.coordinator.board.missed + this.own;
    const rested = ticks > 0 && this.rested() ? 1 : 0;
    if (rested) this.tape.add(time, due, 1, Idle, null, 0);
    if (ticks > rested || missed > this.missed) {
      this.tape.add(time, due, ticks - rested, this.hasRun(time, due, busy) ? Program : Idle, null, missed - this.missed);
    }
    this.missed = missed;
  }

  /** Whether the thread is known to have rested when the first tick was due. */
  private rested() {
    return this.coordinator.board.rest === rest.Rested;
  }

  /** Whether the thread ran when a tick was due that no check took. */
  private hasRun(time: number, due: number, busy?: boolean): boolean {
    return !!busy || this.coordinator.board.rest === rest.Ran || time - due > slowPing;
  }
}
