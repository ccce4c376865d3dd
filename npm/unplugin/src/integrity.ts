// Integrities in assets that the bundler is still to update. If names are made of the final
// contents (realContentHash), it recomputes them at the end, and finds them by their old
// text. So the service must not see and update them first.

import type { TreeFile } from "fieldprof";
import { createHash } from "node:crypto";

/** The relevant part of an asset; `contenthash` is one text or several. */
interface Asset {
  source: { buffer(): Uint8Array };
  info?: { contenthash?: string | readonly string[] };
}

const integrity = /\bsha(?:256|384|512)-[A-Za-z0-9+/]+={0,2}/g;

/** Hides integrities, and restores them. */
export class Veil {
  private readonly hidden = new Set<string>();

  /** For assets whose `contenthash` lists integrities, in addition to hashes in names. */
  constructor(assets: readonly Asset[]) {
    for (const { info } of assets) {
      for (const text of [info?.contenthash ?? []].flat()) for (const [digest] of text.matchAll(integrity)) this.hidden.add(digest);
    }
  }

  /** Contents of the same length in which the hidden integrities are not recognisable. */
  hide(contents: Uint8Array): Uint8Array {
    return this.exchange(contents, this.hidden, "-", "_");
  }

  /** Contents as they were before hide. */
  show(contents: Uint8Array): Uint8Array {
    const veiled = new Set([...this.hidden].map((digest) => digest.replace("-", "_")));
    return this.exchange(contents, veiled, "_", "-");
  }

  private exchange(contents: Uint8Array, digests: ReadonlySet<string>, from: string, to: string): Uint8Array {
    if (digests.size === 0) return contents;
    // Latin-1 maps each byte to one character and back.
    const text = Buffer.from(contents.buffer, contents.byteOffset, contents.length).toString("latin1");
    const pattern = new RegExp(integrity.source.replace("-", from), "g");
    const exchanged = text.replace(pattern, (digest) => (digests.has(digest) ? digest.replace(from, to) : digest));
    return exchanged === text ? contents : Buffer.from(exchanged, "latin1");
  }
}

/**
 * The paths of the files whose integrities are in texts that stay as they are. Such a file must stay, too, and with it those whose
 * integrities it has.
 */
export function heldTo(tree: readonly TreeFile[], texts: readonly Uint8Array[]): string[] {
  const held = new Set<TreeFile>();
  for (let last = texts; last.length > 0; ) {
    const next = heldBy(tree, last).filter((file) => !held.has(file));
    for (const file of next) held.add(file);
    last = next.map(({ contents }) => contents);
  }
  return [...held].map(({ path }) => path);
}

function heldBy(tree: readonly TreeFile[], texts: readonly Uint8Array[]): TreeFile[] {
  const digests = new Set(texts.flatMap((text) => Buffer.from(text).toString("latin1").match(integrity) ?? []));
  const algorithms = [...new Set([...digests].map((digest) => digest.slice(0, digest.indexOf("-"))))];
  return tree.filter(({ contents }) => algorithms.some((algorithm) => digests.has(`${algorithm}-${createHash(algorithm).update(contents).digest("base64")}`)));
}
