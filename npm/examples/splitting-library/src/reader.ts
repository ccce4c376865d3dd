export class Reader {
  private at = 0;

  constructor(private readonly text: string) {}

  /** The next character, if it is one of these. */
  take(characters: string): string | undefined {
    this.skip();
    const c = this.text[this.at];
    if (c === undefined || !characters.includes(c)) return undefined;
    this.at++;
    return c;
  }

  number(): number {
    this.skip();
    const start = this.at;
    while (this.text[this.at] >= "0" && this.text[this.at] <= "9") this.at++;
    return Number(this.text.slice(start, this.at));
  }

  private skip(): void {
    while (this.text[this.at] === " ") this.at++;
  }
}
