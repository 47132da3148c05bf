/** All audio from decoder to engine is mono, 16 bits, at this rate in Hz. */
export declare const SAMPLE_RATE = 16000;
/** A speech recogniser. It never runs on the main thread. */
export interface Engine {
    /** The name in results, e.g. `vosk`. */
    readonly name: string;
    /** BCP 47; `und` when the model does not declare one. */
    readonly language: string;
    /** One stream per speaker. */
    stream(): Promise<EngineStream>;
    close(): Promise<void>;
}
/** Calls must not overlap. */
export interface EngineStream {
    /** The samples may be reused once it has resolved. */
    accept(samples: Int16Array): Promise<RecognitionResult>;
    /** Returns the text since the last final phrase and ends the stream. */
    finish(): Promise<string>;
}
export interface RecognitionResult {
    /** A final phrase, possibly empty; null while a phrase is in progress. */
    final: string | null;
    /** The hypothesis for the phrase in progress. */
    partial: string;
}
/** Speech recognition is unavailable; the message is meant for operators. */
export declare class EngineUnavailable extends Error {
    name: string;
}
