import { singleFlight, withTimeout } from '@lectern/common'
import type { NoiseSuppressor, SuppressorFailure } from './noise-suppressor.ts'
import { resumeAudio } from './resume-audio.ts'

/** The microphone opens without it when its files take longer. */
const LOAD_TIMEOUT_MS = 5_000
/** RNNoise supports no other rate. */
const SAMPLE_RATE = 48_000

/** The engine that is loaded on demand: about 220 kB from this server. */
interface Engine {
  context: AudioContext
  createNode: () => AudioNode & { destroy(): void }
}

interface Graph {
  source: MediaStreamAudioSourceNode
  node: ReturnType<Engine['createNode']>
}

/** RNNoise in an AudioWorklet (decision record 065). */
export class Rnnoise implements NoiseSuppressor {
  #engine: Engine | null = null
  #graph: Graph | null = null
  #isClosed = false
  #listener: (isRunning: boolean) => void = () => {}
  readonly #load = singleFlight(async () => {
    const engine = this.#engine ?? (await openEngine())
    const { context } = engine
    if (this.#isClosed) return void context.close()
    this.#engine = engine
    context.onstatechange = () => this.#onState(context)
    await resumed(context)
  })

  async load(): Promise<SuppressorFailure | null> {
    if (typeof AudioWorkletNode === 'undefined' || typeof WebAssembly === 'undefined') return 'unsupported'
    this.#isClosed = false // also for one that is still loading since before
    try {
      await withTimeout(this.#load(), LOAD_TIMEOUT_MS, () => new Error('slow'))
    } catch {
      return 'failed'
    }
    if (this.#engine?.context.state === 'running') return null
    this.#resumeOnInput()
    return 'waiting'
  }

  suppress(device: MediaStreamTrack): MediaStreamTrack | null {
    this.#disconnect()
    if (!this.#engine) return null
    const { context, createNode } = this.#engine
    try {
      const source = context.createMediaStreamSource(new MediaStream([device]))
      const node = createNode()
      const destination = new MediaStreamAudioDestinationNode(context, { channelCount: 1 })
      source.connect(node).connect(destination)
      this.#graph = { source, node }
      return destination.stream.getAudioTracks()[0] ?? null
    } catch {
      // Older versions of Firefox refuse a device with another sample rate.
      return null
    }
  }

  onChange(listener: (isRunning: boolean) => void): void {
    this.#listener = listener
  }

  close(): void {
    this.#disconnect()
    const context = this.#engine?.context
    this.#isClosed = true
    this.#engine = null
    if (!context) return
    context.onstatechange = null
    void context.close()
  }

  #disconnect(): void {
    this.#graph?.source.disconnect()
    this.#graph?.node.disconnect()
    this.#graph?.node.destroy()
    this.#graph = null
  }

  #onState({ state }: AudioContext): void {
    if (state !== 'running') this.#resumeOnInput()
    this.#listener(state === 'running')
  }

  /** Browsers let pages process audio once the user has clicked or typed. */
  #resumeOnInput(): void {
    const stop = new AbortController()
    const resume = () => {
      stop.abort()
      if (this.#engine) resumeAudio(this.#engine.context)
    }
    for (const event of ['pointerdown', 'keydown'])
      document.addEventListener(event, resume, { signal: stop.signal, capture: true })
  }
}

/** `resume` may wait for a click. */
const RESUME_WITHIN_MS = 300

const resumed = (context: AudioContext): Promise<void> =>
  withTimeout(context.resume(), RESUME_WITHIN_MS, () => new Error('suspended')).catch(() => {})

async function openEngine(): Promise<Engine> {
  const { files, loadRnnoise, RnnoiseWorkletNode } = await import('./rnnoise-files.ts')
  const context = new AudioContext({ sampleRate: SAMPLE_RATE })
  try {
    const [wasmBinary] = await Promise.all([
      loadRnnoise({ url: files.wasm, simdUrl: files.simd }),
      context.audioWorklet.addModule(files.worklet),
    ])
    // The worklet would only stay silent if the file or the policy of the page were wrong.
    await WebAssembly.compile(wasmBinary)
    return { context, createNode: () => new RnnoiseWorkletNode(context, { maxChannels: 1, wasmBinary }) }
  } catch (error) {
    void context.close()
    throw error
  }
}
