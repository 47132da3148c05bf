import type { Engine } from '../engines/port.ts';
import { type RecognitionListener, SpeakerStream } from './speaker-stream.ts';
export interface RecognitionLimits {
    /** Engine calls that may run concurrently. */
    threads: number;
    /** Engine streams open at once; further speakers queue until one of them is idle. */
    streams: number;
    /** Queued audio of all speakers together, in milliseconds. */
    queuedMs: number;
}
/**
 * Shares one engine among all speakers. Under overload it first drops partial results, then queues audio, and when
 * the queue is full drops audio of the speaker who spoke least recently.
 */
export declare class RecognitionScheduler {
    #private;
    constructor(engine: Engine, limits: RecognitionLimits);
    open(listener: RecognitionListener): SpeakerStream;
    push(stream: SpeakerStream, samples: Int16Array): void;
    /** Resolves when all queued audio is recognised and reported. Rejects if the engine failed on this stream. */
    end(stream: SpeakerStream): Promise<void>;
}
