import { expect, it } from 'vitest'
import { mediaTextKey } from './media-text.ts'

it('names the network as the possible cause when no way to the server is found for long', () => {
  for (const transport of ['connecting', 'disconnected', 'failed'] as const) {
    expect(mediaTextKey(transport, 14_000)).toBe('media')
    expect(mediaTextKey(transport, 15_000)).toBe('blocked')
  }
  expect(mediaTextKey('connected', 60_000)).toBe('media')
})
