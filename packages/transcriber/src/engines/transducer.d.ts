import type { Model } from './model.ts';
import { type Engine } from './port.ts';
/** Without samples: ends the stream. */
export interface EngineRequest {
    stream: number;
    samples: Int16Array | null;
}
/** The first message of the thread. */
export type Opened = {
    isOpen: true;
} | {
    isOpen: false;
    reason: string;
};
/** Streaming transducers of sherpa-onnx block the calling thread, so each engine has a worker thread. */
export declare function openTransducer(model: Model): Promise<Engine>;
