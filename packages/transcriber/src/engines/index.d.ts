import type { Engine } from './port.ts';
/**
 * Opens the engine for the model in this folder, or for the bundled model when it is null. Throws EngineUnavailable when
 * no model is found, or no engine supports it.
 */
export declare function openEngine(modelDir: string | null): Promise<Engine>;
