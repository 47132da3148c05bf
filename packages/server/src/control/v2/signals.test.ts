import { encodeFrame, type JsonObject } from '@lectern/protocol/control'
import { describe, expect, it } from 'vitest'
import { notificationBudget } from '../limits/account-budgets.ts'
import { LOSSY_SEND_BUFFER_MAX_BYTES } from '../limits/constants.ts'
import { SignalLimiter } from '../limits/signal-limiter.ts'
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

  it('N7 say that somebody types only of people who may write', async () => {
    const { harness, anna, ben, epoch } = await both()
    const session = harness.registry.get(Number(anna.sessionId))
    if (session) session.chatMode = 'read_only'
    await typing(anna, epoch)
    expect(ben.take('control_signal')).toEqual([])
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

const screenOf = (client: RawClient, parts: JsonObject = {}) => ({
  publication_id: `screen-${client.participantId}`,
  participant_id: client.participantId ?? '',
  source: 'screen' as const,
  paused: false,
  ...parts,
})

const pointAt = (
  client: RawClient,
  epoch: string,
  publication_id: string,
  position: unknown = { x: 0.5, y: 1 },
) => typing(client, epoch, { name: 'screen.pointer', body: { publication_id, position } as JsonObject })

const react = (client: RawClient, epoch: string, reaction: unknown = 'clap') =>
  typing(client, epoch, { name: 'reaction.shown', body: { reaction } as JsonObject })

describe('signals with a meaning of their own', () => {
  const sharing = async () => {
    const all = await both()
    const { harness, anna } = all
    const share = (parts?: JsonObject) =>
      harness.reports.applyMediaEvent(Number(anna.sessionId), {
        name: 'publication.added',
        body: { publication: screenOf(anna, parts) },
      })
    share()
    return { ...all, share, screen: screenOf(anna).publication_id }
  }

  it('N5 are dropped with a wrong body', async () => {
    const { anna, ben, epoch, screen } = await sharing()
    await pointAt(anna, epoch, screen, { x: 2, y: 0 })
    await pointAt(anna, epoch, screen, { x: 0.5 })
    await pointAt(anna, epoch, screen, 'here')
    await react(anna, epoch, '💣')
    await react(anna, epoch, null)
    expect(ben.take('control_signal')).toEqual([])
    await pointAt(anna, epoch, screen)
    await pointAt(anna, epoch, screen, null)
    expect(ben.take('control_signal')).toMatchObject([
      { name: 'screen.pointer', body: { publication_id: screen, position: { x: 0.5, y: 1 } } },
      { name: 'screen.pointer', body: { position: null } },
    ])
  })

  it('N6 only the presenter points at a shared screen', async () => {
    const { anna, ben, epoch, screen } = await sharing()
    await pointAt(ben, epoch, screen)
    await pointAt(ben, epoch, 'screen-of-nobody')
    expect(anna.take('control_signal')).toEqual([])
  })

  it('N6 nobody points at a camera, or at a screen that is stopped or forbidden', async () => {
    const { harness, anna, ben, epoch, share, screen } = await sharing()
    share({ publication_id: 'camera1', source: 'camera' })
    await pointAt(anna, epoch, 'camera1')
    share({ paused: true })
    await pointAt(anna, epoch, screen)
    share()
    const session = harness.registry.get(Number(anna.sessionId))
    if (session)
      session.moderation = {
        ...session.moderation,
        permissions: { microphone: true, camera: true, screen: false },
      }
    await pointAt(anna, epoch, screen)
    expect(ben.take('control_signal')).toEqual([])
  })

  it('N6 pointers have a rate of their own, in positions and in receivers', async () => {
    const { harness, anna, ben, epoch, screen } = await sharing()
    for (let times = 0; times < 50; times++) await pointAt(anna, epoch, screen)
    expect(ben.take('control_signal')).toHaveLength(20)
    harness.now += 500
    for (let times = 0; times < 50; times++) await pointAt(anna, epoch, screen)
    expect(ben.take('control_signal')).toHaveLength(10)
  })

  it('N7 reactions require the permission to write in the chat, at a limited rate', async () => {
    const { harness, anna, ben, epoch } = await both()
    for (let times = 0; times < 20; times++) await react(anna, epoch)
    expect(ben.take('control_signal')).toHaveLength(5)
    harness.now += 2_000
    for (let times = 0; times < 20; times++) await react(anna, epoch)
    expect(ben.take('control_signal')).toHaveLength(2)
    const session = harness.registry.get(Number(anna.sessionId))
    if (session) session.chatMode = 'read_only'
    await react(ben, epoch)
    expect(anna.take('control_signal')).toEqual([])
    if (session)
      session.moderation = {
        ...session.moderation,
        exceptions: [{ userId: harness.authenticator.user('ben').id, chat: true }],
      }
    await react(ben, epoch)
    expect(anna.take('control_signal')).toMatchObject([
      { source_id: ben.participantId, body: { reaction: 'clap' } },
    ])
  })
})

describe('SignalLimiter', () => {
  it('N6 limits pointers by the number of receivers, without use of the notification budget', () => {
    const now = 0
    const notifications = notificationBudget(() => now, 600)
    const limiter = new SignalLimiter(() => now, notifications)
    const user = { id: 1, kind: 'ordinary' } as const
    const granted = Array.from({ length: 20 }, () =>
      limiter.take('screen.pointer', { user, receivers: 400, sessionId: 1 }),
    )
    expect(granted.filter(Boolean)).toHaveLength(3)
    expect(notifications.take(user, 600)).toBeNull()
    expect(limiter.take('reaction.shown', { user, receivers: 400, sessionId: 1 })).toBe(false)
  })
})
