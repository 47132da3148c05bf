import type { Model } from './model.ts';
import { type Engine } from './port.ts';
/** Whisper through sherpa-onnx, phrase by phrase, without partial results. */
export declare function openWhisper(model: Extract<Model, {
    is: 'whisper';
}>): Promise<Engine>;
