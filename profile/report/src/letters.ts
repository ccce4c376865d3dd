// As much of a name as a box has room for, without asking the canvas how wide it
// is each time.

export class Letters {
  private readonly widths = new Map<string, number>();

  constructor(
    private readonly pen: CanvasRenderingContext2D,
    private readonly font: string,
  ) {}

  fit(text: string, room: number): string {
    const dots = this.width("…");
    let [wide, kept] = [0, 0]; // of all so far, and how much of it leaves room for dots
    let end = 0;
    for (const letter of text) {
      wide += this.width(letter);
      end += letter.length;
      if (wide > room) return kept > 0 ? text.slice(0, kept) + "…" : "";
      if (wide <= room - dots) kept = end;
    }
    return text;
  }

  private width(letter: string): number {
    let width = this.widths.get(letter);
    if (width === undefined) {
      this.pen.font = this.font;
      this.widths.set(letter, (width = this.pen.measureText(letter).width));
    }
    return width;
  }
}
