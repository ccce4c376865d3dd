import { type Table } from "./table.cjs";
/** Reads a file, as text; null where there is none. */
export type Read = (url: string, signal: AbortSignal) => Promise<string | null>;
/** No table is larger than this, in characters. */
export declare const largestTable: number;
/** Says how tables are read where there is a disk: for Node. */
export declare function readTablesBy(reader: Read): void;
/** Where a script's table is; null for scripts that cannot have one. */
export declare function tableURL(script: string): string | null;
/** The tables of scripts, as far as they come in time; what is wrong with the others goes to `lost`. */
export declare function tablesOf(scripts: Iterable<string>, lost: Set<string>): Promise<Map<string, Table>>;
/** The same, as far as they came already. */
export declare function loaded(scripts: Iterable<string>, lost: Set<string>): Map<string, Table>;
