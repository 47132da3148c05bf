import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Model } from './model.ts'
import { type Engine, type Heard, Unavailable } from './port.ts'

/** Without samples: the end of the stream. */
export interface Question {
  stream: number
  samples: Int16Array | null
}

/** The first word of the thread. */
export type Opened = { isOpen: true } | { isOpen: false; reason: string }

/** A streaming transducer of sherpa-onnx works on the thread that calls it: it gets one of its own. */
export async function openTransducer(model: Model): Promise<Engine> {
  // The same file as this one, built or not.
  const file = new URL(
    `./transducer-thread${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
    import.meta.url,
  )
  const thread = new Worker(file, { workerData: model })
  const [opened] = (await once(thread, 'message')) as [Opened]
  if (!opened.isOpen) throw new Unavailable(opened.reason)
  const asking = new Asking(thread)
  let streams = 0
  return {
    name: 'sherpa-onnx',
    language: model.language,
    async stream() {
      const stream = ++streams
      return {
        accept: samples => asking.ask({ stream, samples }),
        finish: async () => (await asking.ask({ stream, samples: null })).final ?? '',
      }
    },
    close: async () => void (await thread.terminate()),
  }
}

/** Questions to the thread, answered in their order. */
class Asking {
  readonly #thread: Worker
  readonly #waiting: { resolve: (heard: Heard) => void; reject: (error: Error) => void }[] = []

  constructor(thread: Worker) {
    this.#thread = thread
    thread.on('message', (heard: Heard) => this.#waiting.shift()?.resolve(heard))
    const fail = (error: Error) => {
      for (const { reject } of this.#waiting.splice(0)) reject(error)
    }
    thread.on('error', fail)
    thread.on('exit', () => fail(new Error('the thread of the engine has ended')))
  }

  ask(question: Question): Promise<Heard> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
      this.#thread.postMessage(question)
    })
  }
}
