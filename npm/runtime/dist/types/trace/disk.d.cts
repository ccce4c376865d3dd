import { type Read } from "./tables.cjs";
export interface Files {
    stat(path: string | URL): Promise<{
        size: number;
    }>;
    readFile(path: string | URL, options: {
        encoding: "utf8";
        signal: AbortSignal;
    }): Promise<string>;
}
/** A reader over node:fs/promises, which the caller imports. */
export declare function readFrom(files: Files): Read;
