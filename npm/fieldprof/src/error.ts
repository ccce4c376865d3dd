/** What went wrong, in words for the user. */
export class FieldprofError extends Error {
  override name = 'FieldprofError';
  /** The option that is wrong, if one is. */
  option?: string;

  constructor(text: string, option?: string) {
    super(text);
    if (option !== undefined) this.option = option;
  }
}
