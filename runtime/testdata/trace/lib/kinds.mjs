// Tells the Go test the numbers of the TypeScript side.
import { byCheck, Entry, Exit, GC, Idle, kindNames, Leaf, Loop, Program, siteCount } from '../../../src/core/kinds';
import { Arrow, Constructor, Initializer, Method, Script } from '../../../src/trace/table';

const checked = kindNames.map((_, kind) => byCheck(kind));
console.log(JSON.stringify({ sites: { Entry, Loop, Exit, Leaf, siteCount }, kinds: { Idle, Program, GC, kindNames, checked }, functions: { Script, Arrow, Method, Constructor, Initializer } }));
