/** A test of paths by a glob or a RegExp. */
export declare function matcher(path: string | RegExp): (path: string) => boolean;
/**
 * Calls back when the path may have changed. The Navigation API tells; where it
 * is missing, pushState goes unheard (the page's history is not ours to patch),
 * so the location is looked at now and then.
 */
export declare function follow(changed: () => void): () => void;
