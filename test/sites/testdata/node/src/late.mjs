import { sort } from './work.mjs';

export class Late {
  static async *letters(text) {
    for (const letter of sort([...text])) yield await letter;
  }
}

export async function late() {
  let text = '';
  for await (const letter of Late.letters('instrument')) text += letter;
  return text;
}
