import { expect, it } from 'vitest'
import { deviceNames } from './device-names.ts'

it('names devices so that each can be told from the others', () => {
  const devices = ['C920', 'Built-in', 'C920', ''].map(label => ({ label }))
  expect(deviceNames(devices, 'Camera')).toEqual(['C920 (1)', 'Built-in', 'C920 (2)', 'Camera 4'])
})
