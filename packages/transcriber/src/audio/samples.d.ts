export declare const durationMs: (samples: Int16Array) => number;
export declare const silence: (ms: number) => Int16Array<ArrayBuffer>;
/** Converts samples in [-1, 1] to 16 bits. */
export declare function fromFloats(floats: Float32Array): Int16Array;
export declare function concat(parts: Int16Array[]): Int16Array;
/** Root mean square. */
export declare function rms(samples: Int16Array): number;
