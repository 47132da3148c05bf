import { expect, it } from 'vitest'
import { deviceIdOf } from './device.ts'

it('is the place in the row of those who came, and differs between the lives of a session', () => {
  expect(deviceIdOf('42.1.3')).toBe(3)
  expect(deviceIdOf('42.2.3')).toBe(100_003)
})
