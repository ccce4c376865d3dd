// The names of things in a page, as they can be read.

/** Text as it can be read: control characters, and those without a glyph or that change the direction, are spelled out, as package view does. */
export const printable = (text: string) => text.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} \t\n]/gu, spelled);

function spelled(letter: string): string {
  const code = letter.codePointAt(0)!;
  const hex = (digits: number) => code.toString(16).padStart(digits, "0");
  if (code > 0xffff) return `\\u{${hex(0)}}`;
  return code < 0x80 ? `\\x${hex(2)}` : `\\u${hex(4)}`;
}
