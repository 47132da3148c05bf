import { expect, it } from 'vitest'
import { createHarness, TAG } from '../../control/testing/control-harness.ts'
import { publisherOffer } from '../sdp/testing/offers.ts'
import { HttpSessions } from './http-sessions.ts'
import { inProcessSockets } from './in-process-socket.ts'

it('does not keep a participant that is gone as soon as its endpoint is open', async () => {
  const { control } = await createHarness()
  const accept: typeof control.accept = (socket, address) => {
    const send = (frame: string) => {
      socket.send(frame)
      if (frame.includes('"endpoint_id"')) socket.close(1000, 'gone')
    }
    return control.accept({ ...socket, send }, address)
  }
  const closed: string[] = []
  const entrant = { userId: 1, accessToken: 'anna', joinToken: null, isRevoked: async () => false }
  const sessions = new HttpSessions({
    connect: address => inProcessSockets({ accept }, address),
    entrants: {
      find: async () => ({ ...entrant, close: async () => void closed.push('anna') }),
      isTokenOf: async () => false,
    },
    monotonicMs: () => 0,
  })
  const request = { tag: TAG, bearer: 'anna', address: '127.0.0.1', sdp: publisherOffer() }
  await expect(sessions.publish(request)).rejects.toMatchObject({ code: 'temporarily_unavailable' })
  expect(sessions.size).toBe(0)
  expect(closed).toEqual(['anna'])
})
