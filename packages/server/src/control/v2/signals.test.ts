import { encodeFrame, type JsonObject } from '@lectern/protocol/control'
import { describe, expect, it } from 'vitest'
import { LOSSY_SEND_BUFFER_MAX_BYTES } from '../limits/constants.ts'
import { createHarness } from '../testing/control-harness.ts'
import type { RawClient } from '../testing/raw-client.ts'

const both = async () => {
  const harness = await createHarness()
  const [anna, ben] = [await harness.enter('anna'), await harness.enter('ben')]
  const epoch = anna.snapshots().at(-1)?.stream_epoch ?? ''
  return { harness, anna, ben, epoch }
}

const typing = (from: RawClient, epoch: string, changes: JsonObject = {}) => {
  const signal = {
    binding: from.binding,
    stream_id: `session:${from.sessionId}`,
    stream_epoch: epoch,
    source_id: from.participantId,
    signal_seq: '7',
    ttl_ms: 3_000,
    name: 'chat.typing',
    body: {},
    ...changes,
  }
  return from.send(encodeFrame({ control_signal: signal }))
}

describe('signals', () => {
  it('N1 are relayed to all others in the session', async () => {
    const { anna, ben, epoch } = await both()
    await typing(anna, epoch, { body: { on: true } })
    expect(ben.take('control_signal')).toMatchObject([
      {
        source_id: anna.participantId,
        signal_seq: '7',
        ttl_ms: 3_000,
        name: 'chat.typing',
        body: { on: true },
      },
    ])
    expect(anna.take('control_signal')).toEqual([])
  })

  it('N1 are dropped when the sender may not send them', async () => {
    const { anna, ben, epoch } = await both()
    await typing(anna, epoch, { source_id: ben.participantId })
    await typing(anna, epoch, { name: 'speaker.active' })
    await typing(anna, epoch, { name: 'toString' })
    await typing(anna, '1')
    await typing(anna, epoch, { stream_id: 'session:99' })
    await typing(anna, epoch, { stream_id: 'account:1' })
    await typing(anna, epoch, { binding: ben.binding })
    expect(ben.take('control_signal')).toEqual([])
    expect(anna.socket.closedWith).toBeNull()
  })

  it('N2 are not sent to a slow reader', async () => {
    const { anna, ben, epoch } = await both()
    ben.socket.bufferedAmount = LOSSY_SEND_BUFFER_MAX_BYTES + 1
    await typing(anna, epoch)
    expect(ben.take('control_signal')).toEqual([])
    await anna.command('chat.send', { text: 'x' })
    expect(ben.eventNames()).toEqual(['chat.message'])
  })

  it('N3 are limited in size and lifetime', async () => {
    const { anna, ben, epoch } = await both()
    await typing(anna, epoch, { body: { text: 'x'.repeat(1_100) } })
    await typing(anna, epoch, { ttl_ms: 2_000_000_000 })
    expect(ben.take('control_signal')).toMatchObject([{ ttl_ms: 10_000 }])
  })
})
