import type { Model } from './model.ts'
import { type Engine, EngineUnavailable } from './port.ts'
import { openTransducer } from './transducer.ts'
import { openWhisper } from './whisper.ts'

/** Models for sherpa-onnx. */
export async function openSherpa(model: Model): Promise<Engine> {
  try {
    if (model.is === 'transducer') return await openTransducer(model)
    if (model.is === 'whisper') return await openWhisper(model)
  } catch (error) {
    if (error instanceof EngineUnavailable) throw error
    throw new EngineUnavailable(
      `sherpa-onnx cannot open the model in ${model.folder}: ${(error as Error).message}`,
    )
  }
  throw new EngineUnavailable(`The model in ${model.folder} is not for sherpa-onnx.`)
}
