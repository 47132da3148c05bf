import { fuzzSeeds, randomChoices, seededRandom } from '@lectern/common/testing'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { parseServerFrame } from './client.ts'
import { controlErrors, encodeFrame, parseFrame, parseLogin, parseRequest } from './index.ts'
import { mutate } from './testing/mutate.ts'
import { schemaFiles } from './testing/published.ts'
import { inputOf, vectorFiles } from './testing/vectors.ts'

const FRAMES = 2_000
const limits = { maxFrameBytes: 16_384 }

const validFrames = (reader: string) =>
  vectorFiles
    .filter(([, file]) => file.reader === reader)
    .flatMap(([, file]) => file.cases.filter(each => each.valid).map(inputOf))
    .filter(input => typeof input === 'string' && input.length < 4096) as string[]

describe.each(fuzzSeeds(20240917))('fuzz, seed %i', seed => {
  it(`rejects each of ${FRAMES} malformed frames with a documented code, without throwing`, () => {
    const random = randomChoices(seededRandom(seed))
    const frames = validFrames('control_v2')
    const fitsSchema = new Ajv2020({ strict: false }).compile(schemaFiles()['control_frame.json'] as object)
    const rules = new Map<string, number>()
    for (let i = 0; i < FRAMES; i++) {
      const input = mutate(random.pick(frames), random)
      const parsed = parseFrame(input, limits)
      const shown = () =>
        `frame ${i}: ${typeof input === 'string' ? input : Buffer.from(input).toString('hex')}`
      const rule = parsed.ok ? 'ok' : parsed.rule
      rules.set(rule, (rules.get(rule) ?? 0) + 1)
      if (parsed.ok) {
        expect(fitsSchema(parsed.frame), shown()).toBe(true)
        // As text, because JSON.stringify writes -0 as 0.
        const text = encodeFrame(parsed.frame)
        const again = parseFrame(text, limits)
        expect(again.ok && encodeFrame(again.frame), shown()).toBe(text)
        continue
      }
      expect(Object.keys(controlErrors), shown()).toContain(parsed.code)
      expect(parsed.message.length, shown()).toBeGreaterThan(0)
      expect(parsed.message.length, shown()).toBeLessThanOrEqual(2048)
      if (parsed.rule === 'F9') expect(fitsSchema(JSON.parse(textOf(input))), shown()).toBe(false)
    }
    // The mutations violate every rule but the size limit (F1), which they never reach.
    expect([...rules.keys()]).toEqual(
      expect.arrayContaining(['ok', 'F2', 'F3', 'F4', 'F5', 'F6', 'F7', 'F8', 'F9']),
    )
  })

  it('never throws on frames received by a client, a login or a v1 session', () => {
    const random = randomChoices(seededRandom(seed + 1))
    const frames = ['control_v2', 'login', 'v1_request', 'shape'].flatMap(validFrames)
    for (let i = 0; i < FRAMES; i++) {
      const input = mutate(random.pick(frames), random)
      for (const parsed of [parseServerFrame(input, limits), parseLogin(input), parseRequest(input, limits)])
        if (!parsed.ok) expect(Object.keys(controlErrors)).toContain(parsed.code)
    }
  })
})

const textOf = (input: string | Uint8Array) =>
  typeof input === 'string' ? input : new TextDecoder().decode(input)
