import { setTimeout as sleep } from 'node:timers/promises'

const POLL_INTERVAL_MS = 100

/** When something that repeats all the time has happened: acknowledged messages, frames of a video. */
export class Flow {
  readonly name: string
  #marks: number[] = [Date.now()]

  constructor(name: string) {
    this.name = name
  }

  readonly mark = (): void => {
    this.#marks.push(Date.now())
  }

  /** How often it has happened since a moment. */
  countSince(from: number): number {
    return this.#marks.length - 1 - this.#marks.findLastIndex(mark => mark < from)
  }

  /** The longest time without it since a moment, in milliseconds. */
  longestGapSince(from: number): number {
    const before = this.#marks.findLastIndex(mark => mark < from)
    const marks = [...this.#marks.slice(Math.max(0, before)), Date.now()]
    return Math.max(0, ...marks.slice(1).map((mark, index) => mark - (marks[index] as number)))
  }
}

/** Marks a flow whenever the polled value changes, until the signal. Zero and failures count as no change. */
export function pollFlow(name: string, poll: () => Promise<number>, signal: AbortSignal): Flow {
  const flow = new Flow(name)
  let last = 0
  const run = async () => {
    while (!signal.aborted) {
      const value = await poll().catch(() => 0)
      if (value > 0 && value !== last) flow.mark()
      last = value
      await sleep(POLL_INTERVAL_MS)
    }
  }
  void run()
  return flow
}
