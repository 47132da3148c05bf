import type { Model } from './model.ts';
import { type Engine } from './port.ts';
/** Models for sherpa-onnx. */
export declare function openSherpa(model: Model): Promise<Engine>;
