import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { silence } from '../audio/samples.ts'
import { openEngine } from '../engines/index.ts'
import type { Engine } from '../engines/port.ts'
import { GO_FORWARD_TEXT, goForward } from '../testing/speech.ts'
import { RecognitionScheduler } from './recognition-scheduler.ts'

const LIMITS = { threads: 1, streams: 10, queuedMs: 120_000 }

/** Recognises `n` milliseconds of audio as the word "n", slowly. */
class SlowEngine implements Engine {
  name = 'slow'
  language = 'en-US'
  open = 0
  mostOpen = 0
  /** How many of the next calls fail. */
  failures = 0
  readonly #workMs: number

  constructor(workMs: number) {
    this.#workMs = workMs
  }

  async stream() {
    this.open += 1
    this.mostOpen = Math.max(this.mostOpen, this.open)
    let receivedMs = 0
    return {
      accept: async (samples: Int16Array) => {
        await new Promise(resolve => setTimeout(resolve, this.#workMs))
        if (this.failures-- > 0) throw new Error('engine failure')
        receivedMs += samples.length / 16
        return { final: null, partial: String(receivedMs) }
      },
      finish: async () => {
        this.open -= 1
        return receivedMs > 0 ? String(receivedMs) : ''
      },
    }
  }

  async close() {}
}

/** Lets the engine work until the promise settles. */
async function runToEnd<T>(promise: Promise<T>): Promise<T> {
  let isSettled = false
  const settle = () => {
    isSettled = true
  }
  promise.then(settle, settle)
  while (vi.isFakeTimers() && !isSettled) await vi.advanceTimersByTimeAsync(1)
  return promise
}

function listen(recognition: RecognitionScheduler) {
  const finals: string[] = []
  const partials: string[] = []
  /** Whether each failure dropped the phrase. */
  const failures: boolean[] = []
  const stream = recognition.open({
    final: text => finals.push(text),
    partial: text => partials.push(text),
    failed: (_error, isDropped) => failures.push(isDropped),
  })
  const push = (ms: number) => {
    for (let at = 0; at < ms; at += 100) recognition.push(stream, silence(100))
  }
  return { stream, finals, partials, failures, push, end: () => runToEnd(recognition.end(stream)) }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  vi.advanceTimersByTime(3_600_000) // the process has been running for a while
})
afterEach(() => void vi.useRealTimers())

describe('recognition', () => {
  it('recognises two simultaneous speakers separately', async () => {
    vi.useRealTimers() // a real engine
    const engine = await openEngine(null)
    const recognition = new RecognitionScheduler(engine, { ...LIMITS, threads: 2 })
    const speakers = [listen(recognition), listen(recognition)]
    const said = [goForward(), goForward().subarray(0, 24_000)]
    for (let at = 0; at < goForward().length; at += 320)
      for (const [i, { stream }] of speakers.entries())
        recognition.push(stream, said[i]?.subarray(at, at + 320) ?? silence(0))
    await Promise.all(speakers.map(({ end }) => end()))
    expect(speakers.map(({ finals }) => finals)).toEqual([[GO_FORWARD_TEXT], ['go forward']])
    await engine.close()
  })

  it('ends when all pushed audio is recognised and ignores later audio', async () => {
    const recognition = new RecognitionScheduler(new SlowEngine(1), LIMITS)
    const anna = listen(recognition)
    anna.push(1_300)
    const end = anna.end()
    anna.push(1_000)
    await end
    expect(anna.finals).toEqual(['1300'])
    expect(anna.stream.dropped.droppedMs).toBe(0)
  })

  it('ends immediately for a silent stream', async () => {
    const engine = new SlowEngine(1)
    const anna = listen(new RecognitionScheduler(engine, LIMITS))
    await anna.end()
    expect(anna.finals).toEqual([])
    expect(engine.mostOpen).toBe(0)
  })

  it('drops partial results first when it cannot keep up', async () => {
    const anna = listen(new RecognitionScheduler(new SlowEngine(5), LIMITS))
    anna.push(20_000)
    await anna.end()
    expect(anna.finals).toEqual(['20000'])
    expect(anna.stream.dropped.droppedPartials).toBeGreaterThan(10)
    expect(anna.partials.length).toBeLessThan(4)
  })

  it('drops audio of the least recent speaker when the queue is full', async () => {
    const recognition = new RecognitionScheduler(new SlowEngine(5), { ...LIMITS, queuedMs: 5_000 })
    const [anna, ben] = [listen(recognition), listen(recognition)]
    anna.push(1_000)
    await vi.advanceTimersByTimeAsync(5)
    expect(anna.partials.length).toBeGreaterThan(0)
    ben.push(5_000)
    anna.push(3_000)
    await Promise.all([anna.end(), ben.end()])
    expect(anna.finals).toEqual(['4000'])
    expect(anna.stream.dropped.droppedMs).toBe(0)
    const { droppedMs } = ben.stream.dropped
    expect(droppedMs).toBeGreaterThan(1_000)
    expect(ben.finals).toEqual([String(5_000 - droppedMs)])
  })

  it('schedules streams fairly', async () => {
    const recognition = new RecognitionScheduler(new SlowEngine(2), LIMITS)
    const loud = listen(recognition)
    loud.push(60_000)
    const brief = listen(recognition)
    brief.push(400)
    await brief.end()
    expect(brief.finals).toEqual(['400'])
    expect(loud.stream.queuedMs).toBeGreaterThan(30_000)
    await loud.end()
  })

  it('reassigns the engine stream of an idle speaker and never opens more than allowed', async () => {
    const engine = new SlowEngine(1)
    const recognition = new RecognitionScheduler(engine, { ...LIMITS, streams: 1 })
    const [anna, ben] = [listen(recognition), listen(recognition)]
    anna.push(500)
    await vi.advanceTimersByTimeAsync(1_050)
    expect(anna.partials).toEqual(['500'])
    ben.push(600)
    await vi.advanceTimersByTimeAsync(2)
    expect(ben.partials).toEqual(['600'])
    expect(anna.finals).toEqual(['500'])
    await Promise.all([ben.end(), anna.end()])
    expect(engine.mostOpen).toBe(1)
    expect(engine.open).toBe(0)
  })

  it('recognises a phrase again from its beginning when the engine fails in its middle', async () => {
    const engine = new SlowEngine(1)
    const recognition = new RecognitionScheduler(engine, LIMITS)
    const [anna, ben] = [listen(recognition), listen(recognition)]
    anna.push(1_000)
    await vi.advanceTimersByTimeAsync(10)
    engine.failures = 3
    anna.push(1_000)
    await vi.advanceTimersByTimeAsync(10)
    expect(anna.failures).toEqual([false])
    ben.push(500)
    await vi.advanceTimersByTimeAsync(10_000)
    await Promise.all([anna.end(), ben.end()])
    expect([anna.finals, ben.finals]).toEqual([['2000'], ['500']])
    expect(anna.stream.dropped.droppedMs).toBe(0)
    expect(engine.open).toBe(0)
  })

  it('queues what is said while the engine fails', async () => {
    const engine = new SlowEngine(1)
    const anna = listen(new RecognitionScheduler(engine, LIMITS))
    engine.failures = 8
    for (let second = 0; second < 30; second += 1) {
      anna.push(1_000)
      await vi.advanceTimersByTimeAsync(1_000)
    }
    await anna.end()
    expect(anna.finals).toEqual(['30000'])
    expect(anna.failures).toHaveLength(8)
  })

  it('drops a phrase on which the engine fails again and again, and recognises the next', async () => {
    const engine = new SlowEngine(1)
    const anna = listen(new RecognitionScheduler(engine, LIMITS))
    engine.failures = 14
    anna.push(1_000)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(anna.failures.at(-1)).toBe(true)
    expect(anna.stream.dropped.droppedMs).toBe(1_000)
    anna.push(500)
    await vi.advanceTimersByTimeAsync(10_000)
    await anna.end()
    expect(anna.finals).toEqual(['500'])
  })

  it('ends soon although the engine does not work any more', async () => {
    const engine = new SlowEngine(1)
    const anna = listen(new RecognitionScheduler(engine, LIMITS))
    engine.failures = Infinity
    anna.push(5_000)
    const begunMs = performance.now()
    await anna.end()
    expect(performance.now() - begunMs).toBeLessThan(5_000)
    expect(anna.stream.dropped.droppedMs).toBe(5_000)
  })
})
