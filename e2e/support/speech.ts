import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FAKE_DEVICES } from './browser.ts'

/** A recorded voice from Debian's pocketsphinx-testdata, with its text. */
export const GO_FORWARD = {
  text: 'go forward ten meters',
  from: ['-f', 's16le', '-ar', '16000', '-ac', '1', '-i', '/usr/share/pocketsphinx/test/data/goforward.raw'],
}

const VOICE = '(voice_cmu_us_slt_arctic_hts)'

/** Synthesizes speech with Debian's festival. */
export function synthesizeSpeech(folder: string, text: string) {
  const [words, wave] = ['words.txt', 'words.wav'].map(name => join(folder, name)) as [string, string]
  writeFileSync(words, text)
  execFileSync('text2wave', ['-eval', VOICE, '-o', wave, words])
  return { text, from: ['-i', wave] }
}

/** Chromium arguments for a microphone that repeats the speech with a pause in between. */
export function devicesWithSpeech(folder: string, { from }: { from: string[] }, pauseSeconds = 4): string[] {
  const wave = join(folder, 'microphone.wav')
  execFileSync('ffmpeg', [
    '-v',
    'error',
    '-y',
    ...from,
    '-ar',
    '48000',
    '-af',
    `apad=pad_dur=${pauseSeconds}`,
    wave,
  ])
  return [...FAKE_DEVICES, `--use-file-for-fake-audio-capture=${wave}`]
}
