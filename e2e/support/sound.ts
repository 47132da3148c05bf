import type { Page } from 'playwright-core'

interface Sound {
  contexts: BaseAudioContext[]
  loudest: number
}

type Listening = typeof globalThis & { sound: Sound }

/** Runs in a page: from now on, measures what its audio contexts play. */
export function listen(): void {
  const sound: Sound = { contexts: [], loudest: 0 }
  ;(globalThis as Listening).sound = sound
  const { connect } = AudioNode.prototype as { connect: (...args: unknown[]) => unknown }
  const analysers: AnalyserNode[] = []
  AudioNode.prototype.connect = function (this: AudioNode, ...args: unknown[]) {
    if (args[0] === this.context.destination) {
      const analyser = new AnalyserNode(this.context)
      sound.contexts.push(this.context)
      analysers.push(analyser)
      connect.call(this, analyser)
    }
    return connect.apply(this, args)
  } as typeof AudioNode.prototype.connect
  const samples = new Float32Array(2048)
  setInterval(() => {
    for (const analyser of analysers) {
      analyser.getFloatTimeDomainData(samples)
      for (const sample of samples) sound.loudest = Math.max(sound.loudest, Math.abs(sample))
    }
  })
}

/** The largest amplitude so far, 0 to 1. */
export const loudness = (page: Page): Promise<number> =>
  page.evaluate(() => (globalThis as Listening).sound.loudest)

/** Runs in a page: whether everything that played has ended. */
export const areSilent = (): boolean =>
  (globalThis as Listening).sound.contexts.every(({ state }) => state === 'closed')
