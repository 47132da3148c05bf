import { expect, it } from 'vitest'
import { deviceIdOf } from './device.ts'

it('a device id is the join sequence number, and differs between incarnations of a session', () => {
  expect(deviceIdOf('42.1.3')).toBe(3)
  expect(deviceIdOf('42.2.3')).toBe(100_003)
})
