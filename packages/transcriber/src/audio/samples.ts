import { SAMPLE_RATE } from '../engines/port.ts'

export const durationMs = (samples: Int16Array) => (samples.length * 1000) / SAMPLE_RATE

export const silence = (ms: number) => new Int16Array(Math.round((ms * SAMPLE_RATE) / 1000))

/** Converts samples in [-1, 1] to 16 bits. */
export function fromFloats(floats: Float32Array): Int16Array {
  const samples = new Int16Array(floats.length)
  for (let i = 0; i < floats.length; i++)
    samples[i] = Math.max(-32_768, Math.min(32_767, Math.round((floats[i] as number) * 32_768)))
  return samples
}

export function concat(parts: Int16Array[]): Int16Array {
  const joined = new Int16Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

/** Root mean square. */
export function rms(samples: Int16Array): number {
  let squares = 0
  for (const sample of samples) squares += sample * sample
  return Math.sqrt(squares / Math.max(samples.length, 1))
}
