import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { GO_FORWARD_TEXT, goForward } from '../testing/speech.ts'
import { openEngine } from './index.ts'
import { bundledModel } from './model.ts'
import type { Engine } from './port.ts'

let engine: Engine
beforeAll(async () => {
  engine = await openEngine(null)
})
afterAll(() => engine.close())

const CHUNK_SAMPLES = 3_200

async function feed(samples: Int16Array) {
  const stream = await engine.stream()
  const finals: string[] = []
  const partials = new Set<string>()
  for (let at = 0; at < samples.length; at += CHUNK_SAMPLES) {
    const { final, partial } = await stream.accept(samples.subarray(at, at + CHUNK_SAMPLES))
    if (final !== null) finals.push(final)
    else partials.add(partial)
  }
  return { stream, finals, partials }
}

it('uses Vosk with the English model from npm by default', () => {
  expect(engine).toMatchObject({ name: 'vosk', language: 'en-US' })
})

it('transcribes speech verbatim and returns partial results meanwhile', async () => {
  const { stream, partials } = await feed(goForward())
  expect(await stream.finish()).toBe(GO_FORWARD_TEXT)
  expect([...partials]).toContain('go forward')
})

it('ends a phrase automatically after a pause', async () => {
  const { stream, finals } = await feed(Int16Array.from([...goForward(), ...new Int16Array(48_000)]))
  expect(finals.filter(text => text !== '')).toEqual([GO_FORWARD_TEXT])
  expect(await stream.finish()).toBe('')
})

it('returns a phrase that is cut off', async () => {
  const { stream, finals } = await feed(goForward().subarray(0, 24_000))
  expect(finals).toEqual([])
  expect(await stream.finish()).toBe('go forward')
})

it('returns no text for silence', async () => {
  const { stream, finals } = await feed(new Int16Array(16_000))
  expect(finals.join('')).toBe('')
  expect(await stream.finish()).toBe('')
})

it('does not block the main thread', async () => {
  let longest = 0
  let last = performance.now()
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 1)
  const stream = await engine.stream()
  const began = performance.now()
  await stream.accept(Int16Array.from([...goForward(), ...goForward()]))
  const took = performance.now() - began
  clearInterval(timer)
  await stream.finish()
  expect(longest).toBeLessThan(took / 2)
})

it('rejects a missing model with the reason', async () => {
  await expect(openEngine('/nowhere')).rejects.toMatchObject({
    name: 'Unavailable',
    message: 'There is no folder /nowhere.',
  })
  const empty = mkdtempSync(join(tmpdir(), 'lectern-model-'))
  await expect(openEngine(empty)).rejects.toMatchObject({
    name: 'Unavailable',
    message: /There is no model in/,
  })
  rmSync(empty, { recursive: true })
})

it('opens the model folder chosen by the operator', async () => {
  const own = await openEngine(bundledModel().folder)
  expect(own).toMatchObject({ name: 'vosk', language: 'und' })
  await own.close()
})
