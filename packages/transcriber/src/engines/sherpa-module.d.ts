interface Waveform {
    samples: Float32Array;
    sampleRate: number;
}
interface SherpaStream {
    acceptWaveform(waveform: Waveform): void;
}
export interface OnlineStream extends SherpaStream {
    inputFinished(): void;
}
export interface OnlineRecognizer {
    createStream(): OnlineStream;
    isReady(stream: OnlineStream): boolean;
    decode(stream: OnlineStream): void;
    isEndpoint(stream: OnlineStream): boolean;
    reset(stream: OnlineStream): void;
    getResult(stream: OnlineStream): {
        text: string;
    };
}
export interface OfflineRecognizer {
    createStream(): SherpaStream;
    decodeAsync(stream: SherpaStream): Promise<{
        text: string;
        lang?: string;
    }>;
}
/** Types for the used part of the package, which ships none. */
interface SherpaModule {
    OnlineRecognizer: new (config: object) => OnlineRecognizer;
    OfflineRecognizer: {
        createAsync(config: object): Promise<OfflineRecognizer>;
    };
}
export declare function loadSherpa(): SherpaModule;
/** Samples as sherpa-onnx expects them. */
export declare const toFloats: (samples: Int16Array) => Float32Array<ArrayBuffer>;
export {};
