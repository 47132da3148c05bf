import { createRequire } from 'node:module'
import { Unavailable } from './port.ts'

interface Waveform {
  samples: Float32Array
  sampleRate: number
}

interface SherpaStream {
  acceptWaveform(waveform: Waveform): void
}

export interface OnlineStream extends SherpaStream {
  inputFinished(): void
}

export interface OnlineRecognizer {
  createStream(): OnlineStream
  isReady(stream: OnlineStream): boolean
  decode(stream: OnlineStream): void
  isEndpoint(stream: OnlineStream): boolean
  reset(stream: OnlineStream): void
  getResult(stream: OnlineStream): { text: string }
}

export interface OfflineRecognizer {
  createStream(): SherpaStream
  decodeAsync(stream: SherpaStream): Promise<{ text: string; lang?: string }>
}

/** What is used of the package, which has no types of its own. */
interface SherpaModule {
  OnlineRecognizer: new (config: object) => OnlineRecognizer
  OfflineRecognizer: { createAsync(config: object): Promise<OfflineRecognizer> }
}

export function loadSherpa(): SherpaModule {
  try {
    return createRequire(import.meta.url)('sherpa-onnx-node') as SherpaModule
  } catch (error) {
    throw new Unavailable(
      `The optional npm package sherpa-onnx-node cannot be used: ${(error as Error).message}`,
    )
  }
}

/** As sherpa-onnx wants them. */
export const toFloats = (samples: Int16Array) => Float32Array.from(samples, sample => sample / 32_768)
