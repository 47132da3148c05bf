import { bundledModel, readModel } from './model.ts'
import type { Engine } from './port.ts'
import { openSherpa } from './sherpa.ts'
import { openVosk } from './vosk.ts'

/**
 * The engine for the model in this folder; without one, for the model that npm brings. Throws Unavailable when
 * there is no such model or no engine for it.
 */
export async function openEngine(modelDir: string | null): Promise<Engine> {
  const model = modelDir === null ? bundledModel() : readModel(modelDir)
  return model.is === 'vosk' ? openVosk(model) : openSherpa(model)
}
