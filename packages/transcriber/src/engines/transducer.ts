import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { singleFlight } from '@lectern/common'
import type { Model } from './model.ts'
import { type Engine, EngineUnavailable, type RecognitionResult } from './port.ts'

/** Without samples: ends the stream. */
export interface EngineRequest {
  stream: number
  samples: Int16Array | null
}

/** The first message of the thread. */
export type Opened = { isOpen: true } | { isOpen: false; reason: string }

/** The same file as this one, built or not. */
const THREAD = new URL(
  `./transducer-thread${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
)

/**
 * Streaming transducers of sherpa-onnx block the calling thread, so each engine has a worker thread. When it ends, the
 * streams that it had fail, and the next stream starts another one.
 */
export async function openTransducer(model: Model, file = THREAD): Promise<Engine> {
  let thread = await EngineThread.open(file, model)
  const restarted = singleFlight(async () => {
    thread = await EngineThread.open(file, model)
  })
  let streams = 0
  return {
    name: 'sherpa-onnx',
    language: model.language,
    async stream() {
      if (thread.hasEnded) await restarted()
      const current = thread
      const stream = ++streams
      return {
        accept: samples => current.request({ stream, samples }),
        finish: async () => (await current.request({ stream, samples: null })).final ?? '',
      }
    },
    close: () => thread.close(),
  }
}

/** Requests to a thread, answered in order. */
class EngineThread {
  readonly #thread: Worker
  readonly #pending: { resolve: (result: RecognitionResult) => void; reject: (error: Error) => void }[] = []
  #failure: Error | null = null

  private constructor(thread: Worker) {
    this.#thread = thread
    thread.on('message', (result: RecognitionResult) => this.#pending.shift()?.resolve(result))
    thread.on('error', (error: Error) => this.#fail(error))
    thread.on('exit', () => this.#fail(new Error('the thread of the engine has ended')))
  }

  static async open(file: URL, model: Model): Promise<EngineThread> {
    const thread = new Worker(file, { workerData: model })
    const [opened] = (await once(thread, 'message')) as [Opened]
    if (!opened.isOpen) throw new EngineUnavailable(opened.reason)
    return new EngineThread(thread)
  }

  get hasEnded(): boolean {
    return this.#failure !== null
  }

  /** Rejects at once when the thread has ended. */
  async request(message: EngineRequest): Promise<RecognitionResult> {
    if (this.#failure) throw this.#failure
    return new Promise((resolve, reject) => {
      this.#pending.push({ resolve, reject })
      this.#thread.postMessage(message)
    })
  }

  close = async () => void (await this.#thread.terminate())

  #fail(error: Error): void {
    this.#failure ??= error
    for (const { reject } of this.#pending.splice(0)) reject(error)
  }
}
