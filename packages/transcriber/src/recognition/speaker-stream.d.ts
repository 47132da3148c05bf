import type { EngineStream } from '../engines/port.ts';
/** Receives the results of one stream. */
export interface RecognitionListener {
    /** The current hypothesis for the phrase in progress; empty when it turned out to be no speech. */
    partial(text: string): void;
    /** `isCut`: the phrase ended because the stream ended, not with a pause of the speaker. */
    final(text: string, isCut: boolean): void;
}
/** Audio that was dropped under overload. */
export interface DroppedAudio {
    droppedMs: number;
    droppedPartials: number;
}
/** One speaker's audio on its way to an engine. */
export declare class SpeakerStream {
    #private;
    readonly listener: RecognitionListener;
    readonly dropped: DroppedAudio;
    /** Null while the speaker is silent, or while no engine stream is free. */
    engineStream: EngineStream | null;
    isBusy: boolean;
    /** The engine failed on this stream. */
    failure: {
        error: unknown;
    } | null;
    scheduledAtMs: number;
    pushedAtMs: number;
    /** When words were last recognised. */
    spokeAtMs: number;
    /** Called when all audio is recognised; null until the stream is ended. */
    onEnd: (() => void) | null;
    constructor(listener: RecognitionListener);
    get queuedMs(): number;
    push(samples: Int16Array, nowMs: number): void;
    /** The oldest queued audio, up to maxMs. */
    dequeue(maxMs: number): Int16Array;
    /** Drops the oldest queued piece. */
    dropOldest(): void;
    /** Emits partial results at most every PARTIAL_INTERVAL_MS, and none when recognition lags: then the final phrase matters more. */
    onPartial(text: string, nowMs: number, isLate: boolean): void;
    onFinal(text: string, nowMs: number, isCut?: boolean): void;
}
