import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { silence } from '../audio/samples.ts'
import { openEngine } from '../engines/index.ts'
import type { Engine } from '../engines/port.ts'
import { GO_FORWARD_TEXT, goForward } from '../testing/speech.ts'
import { Recognition } from './recognition.ts'

const LIMITS = { threads: 1, voices: 10, waitingMs: 120_000 }

/** Hears `n` milliseconds as the words "n", and takes its time over it. */
class SlowEngine implements Engine {
  name = 'slow'
  language = 'en-US'
  open = 0
  mostOpen = 0
  fails = false
  readonly #workMs: number

  constructor(workMs: number) {
    this.#workMs = workMs
  }

  async stream() {
    this.open += 1
    this.mostOpen = Math.max(this.mostOpen, this.open)
    let heardMs = 0
    return {
      accept: async (samples: Int16Array) => {
        await sleep(this.#workMs)
        if (this.fails) throw new Error('out of order')
        heardMs += samples.length / 16
        return { final: null, partial: String(heardMs) }
      },
      finish: async () => {
        this.open -= 1
        return heardMs > 0 ? String(heardMs) : ''
      },
    }
  }

  async close() {}
}

function listen(recognition: Recognition) {
  const heard: string[] = []
  const partials: string[] = []
  const voice = recognition.open({ final: text => heard.push(text), partial: text => partials.push(text) })
  const push = (ms: number) => {
    for (let at = 0; at < ms; at += 100) recognition.push(voice, silence(100))
  }
  return { voice, heard, partials, push, end: () => recognition.end(voice) }
}

describe('recognition', () => {
  it('hears two voices at once, each for itself', async () => {
    const engine = await openEngine(null)
    const recognition = new Recognition(engine, { ...LIMITS, threads: 2 })
    const voices = [listen(recognition), listen(recognition)]
    const said = [goForward(), goForward().subarray(0, 24_000)]
    for (let at = 0; at < goForward().length; at += 320)
      for (const [i, { voice }] of voices.entries())
        recognition.push(voice, said[i]?.subarray(at, at + 320) ?? silence(0))
    await Promise.all(voices.map(({ end }) => end()))
    expect(voices.map(({ heard }) => heard)).toEqual([[GO_FORWARD_TEXT], ['go forward']])
    await engine.close()
  })

  it('ends when all that was pushed is recognised, and hears nothing after', async () => {
    const recognition = new Recognition(new SlowEngine(1), LIMITS)
    const anna = listen(recognition)
    anna.push(1_300)
    const end = anna.end()
    anna.push(1_000)
    await end
    expect(anna.heard).toEqual(['1300'])
    expect(anna.voice.shortfall.skippedMs).toBe(0)
  })

  it('ends at once for who has said nothing', async () => {
    const engine = new SlowEngine(1)
    const anna = listen(new Recognition(engine, LIMITS))
    await anna.end()
    expect(anna.heard).toEqual([])
    expect(engine.mostOpen).toBe(0)
  })

  it('leaves out partial texts first when it cannot keep up', async () => {
    const anna = listen(new Recognition(new SlowEngine(5), LIMITS))
    anna.push(20_000)
    await anna.end()
    expect(anna.heard).toEqual(['20000'])
    expect(anna.voice.shortfall.heldBackPartials).toBeGreaterThan(10)
    expect(anna.partials.length).toBeLessThan(4)
  })

  it('skips at last what was said by who has said least lately', async () => {
    const recognition = new Recognition(new SlowEngine(5), { ...LIMITS, waitingMs: 5_000 })
    const [anna, ben] = [listen(recognition), listen(recognition)]
    anna.push(1_000)
    await expect.poll(() => anna.partials.length).toBeGreaterThan(0)
    ben.push(5_000)
    anna.push(3_000)
    await Promise.all([anna.end(), ben.end()])
    expect(anna.heard).toEqual(['4000'])
    expect(anna.voice.shortfall.skippedMs).toBe(0)
    const { skippedMs } = ben.voice.shortfall
    expect(skippedMs).toBeGreaterThan(1_000)
    expect(ben.heard).toEqual([String(5_000 - skippedMs)])
  })

  it('gives each voice its turn', async () => {
    const recognition = new Recognition(new SlowEngine(2), LIMITS)
    const loud = listen(recognition)
    loud.push(60_000)
    const brief = listen(recognition)
    brief.push(400)
    await brief.end()
    expect(brief.heard).toEqual(['400'])
    expect(loud.voice.waitingMs).toBeGreaterThan(30_000)
    await loud.end()
  })

  it('takes the place of who is quiet for who speaks, and no more places than there are', async () => {
    const engine = new SlowEngine(1)
    const recognition = new Recognition(engine, { ...LIMITS, voices: 1 })
    const [anna, ben] = [listen(recognition), listen(recognition)]
    anna.push(500)
    await expect.poll(() => anna.partials).toEqual(['500'])
    await sleep(1_050)
    ben.push(600)
    await expect.poll(() => ben.partials).toEqual(['600'])
    expect(anna.heard).toEqual(['500'])
    await Promise.all([ben.end(), anna.end()])
    expect(engine.mostOpen).toBe(1)
    expect(engine.open).toBe(0)
  })

  it('tells whose voice the engine failed at', async () => {
    const engine = new SlowEngine(1)
    const recognition = new Recognition(engine, LIMITS)
    const anna = listen(recognition)
    engine.fails = true
    anna.push(1_000)
    await sleep(20)
    anna.push(1_000)
    await expect(anna.end()).rejects.toThrow('out of order')
    engine.fails = false
    const ben = listen(recognition)
    ben.push(500)
    await ben.end()
    expect(ben.heard).toEqual(['500'])
  })
})
