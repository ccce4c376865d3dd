/** Columns of a table; positions are pairs of line and column, from 1. Function 0 is the script. */
export declare class Table {
    readonly count: number;
    private readonly heads;
    /** Start, end and definition: six numbers for each function. */
    private readonly places;
    private readonly parents;
    private readonly names;
    private readonly given;
    constructor(count: number, heads: Uint16Array, 
    /** Start, end and definition: six numbers for each function. */
    places: Int32Array, parents: Int32Array, names: readonly string[], given: readonly string[]);
    name(f: number): string;
    /**
     * As V8 names it in profiles: an anonymous function after the variable,
     * property or field that it is the value of, where the language itself does.
     */
    givenName(f: number): string;
    kind(f: number): number;
    /** Which checks it carries: bit k for site kind k. */
    sites(f: number): number;
    filledFirst(f: number): boolean;
    parent(f: number): number;
    start(f: number): [line: number, column: number];
    end(f: number): [line: number, column: number];
    /** Where V8 says the function is defined; 0:0: unknown. */
    definition(f: number): [line: number, column: number];
    /** Whether the place at an index of places is behind a position. */
    private behind;
    /** Whether a position is within the script at all. */
    holds(line: number, column: number): boolean;
    /** The innermost function that executes at a position; 0 outside all. */
    find(line: number, column: number): number;
    private executes;
}
/** Reads a table in its JSON form, or throws what is wrong with it. */
export declare function decode(text: string): Table;
