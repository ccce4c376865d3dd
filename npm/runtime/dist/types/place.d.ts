export declare const place: {
    /** URL of the folder with a slash behind it; empty when unknown. */
    base: string;
};
