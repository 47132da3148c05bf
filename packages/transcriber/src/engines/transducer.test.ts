import { expect, it, onTestFinished } from 'vitest'
import type { Model } from './model.ts'
import { openTransducer } from './transducer.ts'

/** A thread that answers with the number of samples, and ends with an error at the sample 666. */
const thread = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads'
    parentPort.on('message', ({ samples }) => {
      if (samples?.[0] === 666) throw new Error('malformed')
      parentPort.postMessage({ final: samples ? null : 'end', partial: String(samples?.length) })
    })
    parentPort.postMessage({ isOpen: true })
  `)}`,
)
const model: Model = {
  ...{ is: 'transducer', folder: '/', language: 'en' },
  ...{ encoder: '', decoder: '', joiner: '', tokens: '' },
}

it('fails the streams of a thread that ends, and starts another for the next ones', async () => {
  const engine = await openTransducer(model, thread)
  onTestFinished(() => engine.close())
  const [anna, ben] = [await engine.stream(), await engine.stream()]
  expect(await ben.accept(new Int16Array(8))).toEqual({ final: null, partial: '8' })
  await expect(anna.accept(Int16Array.of(666))).rejects.toThrow('malformed')
  await expect(ben.accept(new Int16Array(8))).rejects.toThrow('malformed')
  await expect(ben.finish()).rejects.toThrow('malformed')
  const [again, other] = await Promise.all([engine.stream(), engine.stream()])
  expect(await again.accept(new Int16Array(7))).toEqual({ final: null, partial: '7' })
  expect(await other.finish()).toBe('end')
})
