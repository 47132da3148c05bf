import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rms, SAMPLE_RATE } from '@lectern/transcriber/recognition'

export interface Clip {
  text: string
  samples: Int16Array
  /** The end of the last word. */
  speechMs: number
}

const SENTENCES = [
  'please close the door before you leave the room',
  'the weather is fine today',
  'we will meet again next week at the same time',
  'my brother lives in a small house near the station',
  'can you hear me now',
  'the first question is about the history of the town',
  'open the book on the next page',
  'i have never seen such a beautiful garden',
]
const GO_FORWARD = '/usr/share/pocketsphinx/test/data/goforward.raw'
export const BLOCK = SAMPLE_RATE / 50
const SPEECH = 184 // -45 dB

/** At most `count` clips: of a recorded voice from Debian's pocketsphinx-testdata, then of a synthesized one from festival. */
export function makeClips(count: number): Clip[] {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-clips-'))
  try {
    const spoken = SENTENCES.slice(0, count - 1).map(text => clip(text, speak(folder, text)))
    return [clip('go forward ten meters', readFileSync(GO_FORWARD)), ...spoken]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function speak(folder: string, text: string): Buffer {
  const [words, wave] = ['words.txt', 'words.wav'].map(name => join(folder, name)) as [string, string]
  writeFileSync(words, text)
  execFileSync('text2wave', ['-eval', '(voice_cmu_us_slt_arctic_hts)', '-o', wave, words])
  return execFileSync('ffmpeg', ['-v', 'error', '-i', wave, '-ar', `${SAMPLE_RATE}`, '-f', 's16le', '-'], {
    maxBuffer: 2 ** 26,
  })
}

function clip(text: string, pcm: Buffer): Clip {
  const samples = new Int16Array(new Uint8Array(pcm).buffer)
  let end = 0
  for (let at = 0; at < samples.length; at += BLOCK)
    if (rms(samples.subarray(at, at + BLOCK)) >= SPEECH) end = at + BLOCK
  return { text, samples, speechMs: (end * 1000) / SAMPLE_RATE }
}
