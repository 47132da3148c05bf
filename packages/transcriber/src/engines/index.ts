import { bundledModel, readModel } from './model.ts'
import type { Engine } from './port.ts'
import { openSherpa } from './sherpa.ts'
import { openVosk } from './vosk.ts'

/**
 * Opens the engine for the model in this folder, or for the bundled model when it is null. Throws EngineUnavailable when
 * no model is found, or no engine supports it.
 */
export async function openEngine(modelDir: string | null): Promise<Engine> {
  const model = modelDir === null ? bundledModel() : readModel(modelDir)
  return model.is === 'vosk' ? openVosk(model) : openSherpa(model)
}
