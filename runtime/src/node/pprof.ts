// A profile in pprof's profile.proto, gzipped, as profile/format/pprof in Go writes it:
// samples and time, labels on samples, and the facts of the profile in its comments.
import { gzipSync } from "node:zlib";
import { cleanText, cleanURL } from "../trace/clean";
import type { Finished } from "./finished";
import { Message } from "./protobuf";
import { labelOf, sumsOf, type Choice } from "./sums";

/** Fields of profile.proto. */
const profile = { sampleType: 1, sample: 2, location: 4, function: 5, string: 6, time: 9, duration: 10, periodType: 11, period: 12, comment: 13, defaultType: 14 };

export function pprofOf(finished: Finished, choice?: Choice): Uint8Array {
  return gzipSync(new Writer(finished).write(choice));
}

class Writer {
  private readonly out = new Message();
  private readonly strings = new Map<string, number>([["", 0]]);
  /** The location of each function, which has one: positions within functions are not kept. */
  private readonly locations = new Map<number | string, number>();
  private readonly bodies: Message[] = [];

  constructor(private readonly of: Finished) {}

  write(choice?: Choice): Uint8Array {
    const { raw } = this.of;
    const period = Math.round(raw.interval * 1e6);
    this.out.message(profile.sampleType, this.type("samples", "count")).message(profile.sampleType, this.type("time", "nanoseconds"));
    for (const { stack, pseudo, labels, samples, ticks } of sumsOf(this.of, choice)) {
      const locations = stack < 0 ? [this.pseudo(pseudo)] : this.stack(stack);
      const sample = new Message().packed(1, locations).packed(2, [samples, ticks * period]);
      for (const [key, value] of Object.entries(labels)) sample.message(3, new Message().number(1, this.string(key)).number(2, this.string(value)));
      this.out.message(profile.sample, sample);
    }
    for (const body of this.bodies) this.out.message(profile.function, body);
    this.bodies.forEach((_, i) => this.out.message(profile.location, new Message().number(1, i + 1).message(4, new Message().number(1, i + 1))));
    this.out
      .number(profile.time, Math.round((raw.origin + raw.started) * 1e6))
      .number(profile.duration, Math.round((raw.ended - raw.started) * 1e6))
      .message(profile.periodType, this.type("time", "nanoseconds"))
      .number(profile.period, period)
      .packed(profile.comment, [this.string(this.of.health()), this.string(`fieldprof ${JSON.stringify(this.of.meta())}`)])
      .number(profile.defaultType, this.string("time"));
    for (const text of this.strings.keys()) this.out.text(profile.string, text);
    return this.out.done();
  }

  private string(text: string): number {
    let id = this.strings.get(text);
    if (id === undefined) this.strings.set(text, (id = this.strings.size));
    return id;
  }

  private type(name: string, unit: string): Message {
    return new Message().number(1, this.string(name)).number(2, this.string(unit));
  }

  /** The locations of a stack, the innermost first. */
  private stack(stack: number): number[] {
    const { parents, owners } = this.of.found;
    const found: number[] = [];
    for (let at = stack; at >= 0; at = parents[at]) found.push(this.function(owners[at]));
    return found;
  }

  private function(index: number): number {
    let id = this.locations.get(index);
    if (id === undefined) {
      const fn = this.of.found.functions[index];
      const file = cleanURL(fn.url);
      const name = this.string(labelOf({ ...fn, name: cleanText(fn.name) }, file));
      id = this.body(new Message().number(2, name).number(3, name).number(4, this.string(file)).number(5, fn.line));
      this.locations.set(index, id);
    }
    return id;
  }

  private pseudo(name: string): number {
    let id = this.locations.get(name);
    if (id === undefined) this.locations.set(name, (id = this.body(new Message().number(2, this.string(name)).number(3, this.string(name)))));
    return id;
  }

  private body(fields: Message): number {
    const id = this.bodies.length + 1;
    this.bodies.push(new Message().number(1, id).append(fields));
    return id;
  }
}
