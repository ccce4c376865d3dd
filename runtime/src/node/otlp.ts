// A profile as OTLP's ExportProfilesServiceRequest in JSON, as profile/format/otlp in Go
// writes it in protocol buffers: a timestamp for each tick, since receivers refuse sums.
import { cleanText, cleanURL } from "../trace/clean";
import type { Finished } from "./finished";
import { labelOf, sumsOf, type Choice, type Sum } from "./sums";

/** Assigns numbers to entries as they are asked for. The first entry of each table means none. */
class Table<Entry> {
  private readonly ids = new Map<string, number>();
  readonly entries: Entry[];

  constructor(none: Entry) {
    this.entries = [none];
  }

  of(key: string, make: () => Entry): number {
    let id = this.ids.get(key);
    if (id === undefined) {
      const entry = make();
      this.ids.set(key, (id = this.entries.push(entry) - 1));
    }
    return id;
  }
}

export function otlpOf(finished: Finished, resource: Record<string, string>, choice?: Choice): object {
  return new Writer(finished).write(resource, choice);
}

class Writer {
  private readonly strings = new Table<string>("");
  private readonly attributes = new Table<object>({});
  private readonly functions = new Table<object>({});
  private readonly locations = new Table<object>({});
  private readonly stacks = new Table<object>({});

  constructor(private readonly of: Finished) {}

  write(resource: Record<string, string>, choice?: Choice): object {
    const { raw } = this.of;
    const start = Math.round((raw.origin + raw.started) * 1e6);
    const samples = sumsOf(this.of, choice).map((sum) => ({
      stackIndex: this.stack(sum),
      attributeIndices: Object.entries(sum.labels).map(([key, value]) => this.attribute(key, value)),
      timestampsUnixNano: this.timesOf(sum),
    }));
    const type = (name: string, unit: string) => ({ typeStrindex: this.string(name), unitStrindex: this.string(unit) });
    const profile = {
      sampleType: type("samples", "count"),
      samples,
      timeUnixNano: String(start),
      durationNano: String(Math.round((raw.ended - raw.started) * 1e6)),
      periodType: type("cpu", "nanoseconds"),
      period: String(Math.round(raw.interval * 1e6)),
      attributeIndices: [this.attribute("fieldprof.meta", JSON.stringify(this.of.meta()))],
    };
    const attributes = Object.entries({ "service.name": this.of.program, ...resource }).map(([key, value]) => ({ key, value: { stringValue: value } }));
    const { strings, functions, locations, stacks } = this;
    return {
      resourceProfiles: [{ resource: { attributes }, scopeProfiles: [{ scope: { name: "github.com/fieldprof/fieldprof" }, profiles: [profile] }] }],
      dictionary: {
        mappingTable: [{}],
        linkTable: [{}],
        locationTable: locations.entries,
        functionTable: functions.entries,
        stackTable: stacks.entries,
        attributeTable: this.attributes.entries,
        stringTable: strings.entries,
      },
    };
  }

  /** Nanoseconds since 1970, for each tick, ascending. Texts, as numbers of 64 bits are in JSON. */
  private timesOf({ times, weights }: Sum): string[] {
    const found: string[] = [];
    let last = 0n;
    times.forEach((time, i) => {
      for (let tick = 0; tick < weights[i]; tick++) {
        const at = BigInt(Math.round((this.of.raw.origin + time) * 1000)) * 1000n;
        last = at > last ? at : last + 1n;
        found.push(String(last));
      }
    });
    return found;
  }

  private string(text: string): number {
    return text === "" ? 0 : this.strings.of(text, () => text);
  }

  private attribute(key: string, value: string): number {
    return this.attributes.of(`${key}\n${value}`, () => ({ keyStrindex: this.string(key), value: { stringValue: value } }));
  }

  private stack({ stack, pseudo }: Sum): number {
    if (stack < 0) return this.stacks.of(pseudo, () => ({ locationIndices: [this.location(pseudo, "", 0)] }));
    return this.stacks.of(String(stack), () => {
      const { parents, owners, functions } = this.of.found;
      const locationIndices: number[] = [];
      for (let at = stack; at >= 0; at = parents[at]) {
        const fn = functions[owners[at]];
        const file = cleanURL(fn.url);
        locationIndices.push(this.location(labelOf({ ...fn, name: cleanText(fn.name) }, file), file, fn.line));
      }
      return { locationIndices };
    });
  }

  private location(name: string, file: string, line: number): number {
    const key = `${name}\n${file}\n${line}`;
    const functionIndex = this.functions.of(key, () => ({ nameStrindex: this.string(name), filenameStrindex: this.string(file), startLine: String(line) }));
    return this.locations.of(key, () => ({ attributeIndices: [this.attribute("profile.frame.type", "v8js")], lines: [{ functionIndex }] }));
  }
}
