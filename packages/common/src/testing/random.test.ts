import { expect, it } from 'vitest'
import { randomChoices, seededRandom } from './random.ts'

it('seededRandom repeats its numbers for the same seed', () => {
  const draw = (seed: number) => Array.from({ length: 100 }, seededRandom(seed))
  expect(draw(7)).toEqual(draw(7))
  expect(draw(7)).not.toEqual(draw(8))
  expect(draw(7).every(number => number >= 0 && number < 1)).toBe(true)
})

it('randomChoices draws every choice', () => {
  const { below, chance, pick } = randomChoices(seededRandom(1))
  const times = Array.from({ length: 200 })
  expect(new Set(times.map(() => below(3)))).toEqual(new Set([0, 1, 2]))
  expect(new Set(times.map(() => pick(['a', 'b'])))).toEqual(new Set(['a', 'b']))
  expect(new Set(times.map(() => chance(0.5)))).toEqual(new Set([true, false]))
})
