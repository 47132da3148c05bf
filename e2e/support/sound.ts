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
  // One for each context: a ring has six tones every three seconds, each with a connection of its own.
  const analysers = new Map<BaseAudioContext, AnalyserNode>()
  const analyserOf = (context: BaseAudioContext) => {
    const analyser = analysers.get(context) ?? new AnalyserNode(context)
    if (!analysers.has(context)) sound.contexts.push(context)
    analysers.set(context, analyser)
    return analyser
  }
  AudioNode.prototype.connect = function (this: AudioNode, ...args: unknown[]) {
    if (args[0] === this.context.destination) connect.call(this, analyserOf(this.context))
    return connect.apply(this, args)
  } as typeof AudioNode.prototype.connect
  const samples = new Float32Array(2048)
  setInterval(() => {
    for (const [context, analyser] of analysers) {
      if (context.state === 'closed') analysers.delete(context)
      analyser.getFloatTimeDomainData(samples)
      for (const sample of samples) sound.loudest = Math.max(sound.loudest, Math.abs(sample))
    }
  }, 20)
}

/** The largest amplitude so far, 0 to 1. */
export const loudness = (page: Page): Promise<number> =>
  page.evaluate(() => (globalThis as Listening).sound.loudest)

/** Runs in a page: whether everything that played has ended. */
export const areSilent = (): boolean =>
  (globalThis as Listening).sound.contexts.every(({ state }) => state === 'closed')
