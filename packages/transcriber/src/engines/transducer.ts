import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Model } from './model.ts'
import { type Engine, EngineUnavailable, type RecognitionResult } from './port.ts'

/** Without samples: ends the stream. */
export interface EngineRequest {
  stream: number
  samples: Int16Array | null
}

/** The first message of the thread. */
export type Opened = { isOpen: true } | { isOpen: false; reason: string }

/** Streaming transducers of sherpa-onnx block the calling thread, so each engine has a worker thread. */
export async function openTransducer(model: Model): Promise<Engine> {
  // The same file as this one, built or not.
  const file = new URL(
    `./transducer-thread${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
    import.meta.url,
  )
  const thread = new Worker(file, { workerData: model })
  const [opened] = (await once(thread, 'message')) as [Opened]
  if (!opened.isOpen) throw new EngineUnavailable(opened.reason)
  const requests = new EngineRequests(thread)
  let streams = 0
  return {
    name: 'sherpa-onnx',
    language: model.language,
    async stream() {
      const stream = ++streams
      return {
        accept: samples => requests.request({ stream, samples }),
        finish: async () => (await requests.request({ stream, samples: null })).final ?? '',
      }
    },
    close: async () => void (await thread.terminate()),
  }
}

/** Requests to the thread, answered in order. */
class EngineRequests {
  readonly #thread: Worker
  readonly #pending: { resolve: (result: RecognitionResult) => void; reject: (error: Error) => void }[] = []

  constructor(thread: Worker) {
    this.#thread = thread
    thread.on('message', (result: RecognitionResult) => this.#pending.shift()?.resolve(result))
    const fail = (error: Error) => {
      for (const { reject } of this.#pending.splice(0)) reject(error)
    }
    thread.on('error', fail)
    thread.on('exit', () => fail(new Error('the thread of the engine has ended')))
  }

  request(message: EngineRequest): Promise<RecognitionResult> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ resolve, reject })
      this.#thread.postMessage(message)
    })
  }
}
