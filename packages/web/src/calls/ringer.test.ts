import { afterEach, expect, it, vi } from 'vitest'
import { ring } from './ringer.ts'

afterEach(() => vi.unstubAllGlobals())

/** Of a page that the user has not used. */
class SuspendedContext {
  static resumed = 0
  readonly state = 'suspended'
  onstatechange: (() => void) | null = null
  #refuse: (() => void)[] = []
  resume(): Promise<void> {
    SuspendedContext.resumed++
    return new Promise((_, reject) => this.#refuse.push(() => reject(new Error('closed'))))
  }
  async close(): Promise<void> {
    for (const refuse of this.#refuse) refuse()
  }
}

it('ends without an error when the browser has never let it play', async () => {
  vi.stubGlobal('AudioContext', SuspendedContext)
  const unhandled: unknown[] = []
  const note = (reason: unknown) => void unhandled.push(reason)
  process.on('unhandledRejection', note)
  const stop = new AbortController()
  const ringing = ring('outgoing', stop.signal)
  await expect.poll(() => SuspendedContext.resumed).toBe(1)
  stop.abort()
  await ringing
  await new Promise(setImmediate)
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
})
