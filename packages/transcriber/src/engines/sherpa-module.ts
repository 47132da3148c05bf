import { createRequire } from 'node:module'
import { EngineUnavailable } from './port.ts'

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

/** Types for the used part of the package, which ships none. */
interface SherpaModule {
  OnlineRecognizer: new (config: object) => OnlineRecognizer
  OfflineRecognizer: { createAsync(config: object): Promise<OfflineRecognizer> }
}

export function loadSherpa(): SherpaModule {
  try {
    return createRequire(import.meta.url)('sherpa-onnx-node') as SherpaModule
  } catch (error) {
    throw new EngineUnavailable(
      `The optional npm package sherpa-onnx-node cannot be used: ${(error as Error).message}`,
    )
  }
}

/** Samples as sherpa-onnx expects them. */
export const toFloats = (samples: Int16Array) => Float32Array.from(samples, sample => sample / 32_768)
