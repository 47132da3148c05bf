import { writeFileSync } from 'node:fs'

const RATE = 16_000
const SECONDS = 8
const HARMONICS = 12

/** Writes a WAV file that noise suppression recognises as speech: syllables with varying pitch. */
export function writeVoice(path: string): string {
  const samples = new Int16Array(RATE * SECONDS)
  let phase = 0
  for (let at = 0; at < samples.length; at++) {
    const seconds = at / RATE
    const pitch =
      140 + 30 * Math.sin(2 * Math.PI * 0.6 * seconds) + 12 * Math.sin(2 * Math.PI * 1.7 * seconds)
    phase += (2 * Math.PI * pitch) / RATE
    const vowel = 600 + 300 * Math.sin(2 * Math.PI * 1.1 * seconds)
    samples[at] = 9_000 * syllable(seconds) * voice(phase, pitch, vowel)
  }
  return write(path, samples)
}

/** Writes a WAV file of steady noise, as of a fan. */
export function writeNoise(path: string): string {
  const samples = new Int16Array(RATE * SECONDS)
  for (let at = 0; at < samples.length; at++) samples[at] = 6_000 * (Math.random() - 0.5)
  return write(path, samples)
}

/** Writes a silent WAV file. */
export const writeSilence = (path: string): string => write(path, new Int16Array(RATE))

function write(path: string, samples: Int16Array): string {
  writeFileSync(path, Buffer.concat([header(samples.byteLength), Buffer.from(samples.buffer)]))
  return path
}

const syllable = (seconds: number) => Math.max(0, Math.sin(2 * Math.PI * 3.3 * seconds)) ** 0.5

/** Harmonics near the vowel's formant are loudest. */
function voice(phase: number, pitch: number, vowel: number): number {
  let sum = 0
  for (let n = 1; n <= HARMONICS; n++)
    sum += Math.sin(n * phase) * (0.2 + Math.exp(-(((n * pitch - vowel) / 350) ** 2)))
  return sum / 3
}

function header(bytes: number): Buffer {
  const riff = Buffer.alloc(44)
  riff.write('RIFF', 0)
  riff.writeUInt32LE(36 + bytes, 4)
  riff.write('WAVEfmt ', 8)
  riff.writeUInt32LE(16, 16)
  riff.writeUInt16LE(1, 20) // PCM
  riff.writeUInt16LE(1, 22) // one channel
  riff.writeUInt32LE(RATE, 24)
  riff.writeUInt32LE(RATE * 2, 28)
  riff.writeUInt16LE(2, 32)
  riff.writeUInt16LE(16, 34)
  riff.write('data', 36)
  riff.writeUInt32LE(bytes, 40)
  return riff
}
