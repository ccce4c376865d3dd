/** A table of products. */
export function table(size: number): HTMLTableElement {
  const table = document.createElement('table');
  for (let i = 1; i <= size; i++) {
    const row = table.insertRow();
    for (let j = 1; j <= size; j++) row.insertCell().textContent = `${i * j}`;
  }
  return table;
}

enum Shade {
  Light,
  Dark,
}

export async function shade(name: keyof typeof Shade): Promise<number> {
  for await (const value of [Promise.resolve(Shade[name])]) return value;
  throw new Error(name);
}
shade('Dark').then((value) => console.info('shade', value));
