export declare const RealError: ErrorConstructor, RealChannel: {
    new (): MessageChannel;
    prototype: MessageChannel;
};
export declare const describe: (o: any, p: PropertyKey) => PropertyDescriptor | undefined;
export declare const random: () => number;
/** Milliseconds since the time origin. */
export declare const now: () => DOMHighResTimeStamp;
