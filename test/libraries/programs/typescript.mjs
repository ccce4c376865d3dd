// Checks, compiles and prints a program that has errors in it, without the
// standard library.
import ts from 'typescript';
import { digest } from './digest.mjs';

const files = {
  'core.d.ts': `interface Array<T> { length: number; [n: number]: T; map<U>(f: (x: T) => U): U[] } interface String { length: number } interface Number {}
interface Boolean {} interface Function {} interface CallableFunction extends Function {} interface NewableFunction extends Function {} interface IArguments {}
interface Object {} interface RegExp {} type Partial<T> = { [K in keyof T]?: T[K] }; declare function print(...a: any[]): void;`,
  'shapes.ts': `export interface Shape { kind: string; area(): number }
export class Circle implements Shape { kind = 'circle' as const; constructor(private r: number) {} area() { return 3 * this.r ** 2 } }
export class Square implements Shape { kind = 'square' as const; constructor(readonly side: number) {} area() { return this.side * this.side } }
export type Any = Circle | Square;
export enum Colour { Red, Green = 'g', Blue = 1 << 4 }
export function pick<K extends keyof Square>(s: Square, k: K): Square[K] { return s[k] }
export namespace Units { export const cm = 1; export const m = 100 * cm }`,
  'main.tsx': `import { Any, Circle, Square, Colour, pick, Units } from './shapes';
const all: Any[] = [new Circle(1), new Square(2)];
async function* later() { for (const s of all) yield* [s.area()]; }
const named = all.map((s) => s.kind === 'circle' ? s.area() : s.side);
const wrong: string = pick(all[1] as Square, 'side');
let maybe: Partial<Square> = { side: Units.m }; maybe.side.length;
print(all.length.toFixed(), Colour.Green, <div a={1} />, missing, later?.());
abstract class Base<T = number> { abstract get x(): T; static { print(1) } @dec method<const U>(this: Base, ...rest: U[]) { return rest satisfies U[] } }
function dec(a: any, b?: any): any { return a ?? b }`,
};

for (const target of [ts.ScriptTarget.ES5, ts.ScriptTarget.ES2017, ts.ScriptTarget.ESNext]) {
  const options = { target, module: ts.ModuleKind.ESNext, noLib: true, strict: true, jsx: ts.JsxEmit.React, declaration: true, sourceMap: true, ignoreDeprecations: '5.0', types: [] };
  const written = {};
  const host = {
    getSourceFile: (name, version) => (name in files ? ts.createSourceFile(name, files[name], version, true) : undefined),
    writeFile: (name, text) => { written[name] = text; },
    getDefaultLibFileName: () => 'core.d.ts', getCurrentDirectory: () => '', getCanonicalFileName: (f) => f,
    useCaseSensitiveFileNames: () => true, getNewLine: () => '\n', fileExists: (f) => f in files, readFile: (f) => files[f],
  };
  const program = ts.createProgram(Object.keys(files), options, host);
  const diagnostics = ts.getPreEmitDiagnostics(program).map((d) => `${d.file?.fileName}:${d.start} TS${d.code} ${ts.flattenDiagnosticMessageText(d.messageText, '\n')}`);
  program.emit();
  console.log(ts.ScriptTarget[target], diagnostics.length, digest(diagnostics), Object.keys(written).length, digest(written));
}
