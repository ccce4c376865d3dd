export declare function isOurs(url: string): boolean;
/** What is known of scripts' origins at the moment of a trace. */
export declare class Origins {
    private readonly seen;
    private readonly foreign;
    private readonly page;
    private readonly isAll;
    constructor();
    /** Whether traces may speak of a script. A table that its server gave us under CORS says so, too. */
    shows(url: string, hasTable: boolean): boolean;
    /** Whether the function table of a script may be asked for; checked: the script is known to have checks. */
    asks(url: string, checked: boolean): boolean;
    private allows;
    private decide;
}
/** The URL of a script as it was asked for: WebKit's frames lack the query, which a page's own element tells, if one does. */
export declare function asked(url: string): string;
