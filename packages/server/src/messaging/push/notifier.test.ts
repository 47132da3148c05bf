import { describe, expect, it } from 'vitest'
import type { MessageStored } from '../../domain-events.ts'
import { BODY_MAX_CHARACTERS, callNotification, messageNotification } from './notifications.ts'
import { PushNotifier } from './notifier.ts'
import type { CallNow } from './ports.ts'
import { TestBrowser } from './testing/browser.ts'
import { openPushHarness } from './testing/harness.ts'
import { pushTexts } from './texts.ts'

const SENDER = 999_999
const CALL = {
  id: '1',
  revision: 1,
  video: false,
  inviter: { userId: SENDER, displayName: 'Ben' },
  ringsUntilMs: 9e15,
}

/** Accounts with one subscription each, and what becomes pending for them, by login. */
async function setUp(...logins: string[]) {
  const harness = await openPushHarness()
  const ids = new Map<string, number>()
  for (const login of logins) {
    const { id } = await harness.addUser(login)
    ids.set(login, id)
    await harness.subscribe(new TestBrowser().subscription(id, `https://push.example/${login}`))
  }
  /** The later answers of the stores. */
  const state: { message: MessageStored | null; call: CallNow | null } = { message: null, call: null }
  const idOf = (login: string) => ids.get(login) ?? 0
  const { subscriptions, deliveries, clock } = harness
  const notifier = new PushNotifier({
    subscriptions,
    deliveries,
    presence: {
      hasConnection: id => harness.connected.has(id),
      hasVisibleConnection: id => harness.visible.has(id),
    },
    providers: ['webpush'],
    ttlMs: 60_000,
    describeMessage: async () => state.message,
    describeCall: async () => state.call,
    clock,
  })
  const notified = async () => {
    const pending = await deliveries.list(1000)
    return pending.map(({ clientId }) => logins.find(login => idOf(login) === clientId)).sort()
  }
  const message = (kind: 'direct' | 'conference', changes: Partial<MessageStored['recipients'][0]> = {}) => ({
    message: { id: 'm', userId: SENDER, displayName: 'Ben', text: 'Hi', sentAtMs: 0 },
    chat: { id: 'c', kind, title: 'Board' },
    recipients: logins.map(login => ({ userId: idOf(login), isMuted: false, ...changes })),
  })
  return { harness, notifier, notified, message, idOf, state }
}

describe('who is notified', () => {
  it('PUSH-10 of a call: people without a connection', async () => {
    const { harness, notifier, notified, idOf } = await setUp('offline', 'hidden', 'visible')
    for (const login of ['hidden', 'visible']) harness.connected.add(idOf(login))
    harness.visible.add(idOf('visible'))
    await notifier.onCall({ call: CALL, userIds: ['offline', 'hidden', 'visible'].map(idOf) })
    expect(await notified()).toEqual(['offline'])
  })

  it('PUSH-11 of a direct message: people without a visible page', async () => {
    const { harness, notifier, notified, message, idOf } = await setUp('offline', 'hidden', 'visible')
    for (const login of ['hidden', 'visible']) harness.connected.add(idOf(login))
    harness.visible.add(idOf('visible'))
    await notifier.onMessage(message('direct'))
    expect(await notified()).toEqual(['hidden', 'offline'])
  })

  it('PUSH-12 of a conference message: members without a visible page, never the sender', async () => {
    const { harness, notifier, notified, message, idOf } = await setUp(
      ...['offline', 'hidden', 'visible', 'sender'],
    )
    for (const login of ['hidden', 'visible']) harness.connected.add(idOf(login))
    harness.visible.add(idOf('visible'))
    const event = message('conference')
    await notifier.onMessage({ ...event, message: { ...event.message, userId: idOf('sender') } })
    expect(await notified()).toEqual(['hidden', 'offline'])
  })

  it('PUSH-21 of a message that came to a device that had vanished, unless it was read', async () => {
    const { harness, notifier, notified, message, idOf, state } = await setUp('anna', 'ben')
    for (const login of ['anna', 'ben']) harness.visible.add(idOf(login))
    const event = message('direct')
    await notifier.onMessage(event)
    expect(await notified()).toEqual([])
    state.message = { ...event, recipients: event.recipients.filter(({ userId }) => userId === idOf('anna')) }
    harness.visible.clear()
    const leave = async (how: 'vanishes' | 'closes') => {
      for (const login of ['anna', 'ben', 'anna']) {
        if (how === 'vanishes') notifier.onVanished(idOf(login))
        await notifier.onAbsent(idOf(login))
      }
    }
    await leave('closes')
    expect(await notified()).toEqual([])
    await leave('vanishes')
    expect(await notified()).toEqual(['anna'])
  })

  it('PUSH-21 of a call that was missed meanwhile, or is ringing', async () => {
    for (const isRinging of [true, false]) {
      const { harness, notifier, notified, idOf, state } = await setUp('anna', 'ben')
      harness.connected.add(idOf('anna')).add(idOf('ben'))
      await notifier.onCall({ call: CALL, userIds: [idOf('anna'), idOf('ben')] })
      if (!isRinging) {
        const people = [{ userId: idOf('anna'), reason: 'missed' as const }]
        await notifier.onRingingStopped({ call: CALL, people })
        harness.pass(30_000)
      }
      const reason = isRinging ? 'answered' : 'missed'
      state.call = {
        call: CALL,
        ringing: isRinging ? [idOf('anna')] : [],
        stopped: [{ userId: idOf(isRinging ? 'ben' : 'anna'), reason }],
      }
      harness.connected.clear()
      for (const login of ['anna', 'ben']) {
        notifier.onVanished(idOf(login))
        await notifier.onAbsent(idOf(login))
      }
      expect(await notified(), String(isRinging)).toEqual(['anna'])
    }
  })

  it('PUSH-21 of nothing that came long before', async () => {
    const { harness, notifier, notified, message, idOf, state } = await setUp('anna')
    harness.visible.add(idOf('anna'))
    state.message = message('direct')
    await notifier.onMessage(state.message)
    harness.visible.clear()
    harness.pass(36_000)
    notifier.onVanished(idOf('anna'))
    await notifier.onAbsent(idOf('anna'))
    expect(await notified()).toEqual([])
  })

  it('PUSH-13 nobody of muted conversations', async () => {
    for (const kind of ['direct', 'conference'] as const) {
      const { notifier, notified, message } = await setUp('anna')
      await notifier.onMessage(message(kind, { isMuted: true }))
      expect(await notified()).toEqual([])
    }
  })

  it('nobody of a conference without other members, and five hundred members at once', async () => {
    const { notifier, notified, message } = await setUp()
    await notifier.onMessage(message('conference'))
    expect(await notified()).toEqual([])
    const everybody = Array.from({ length: 500 }, (_, index) => `member-${index}`)
    const large = await setUp(...everybody)
    await large.notifier.onMessage(large.message('conference'))
    expect(await large.notified()).toHaveLength(500)
  })
})

describe('the text of a notification', () => {
  const payload = (
    text: string,
    {
      kind = 'direct',
      isRequest = false,
      language = null as string | null,
      name = 'Ben',
      title = 'Board',
    } = {},
  ) =>
    messageNotification(
      {
        message: { id: 'm', userId: 1, displayName: name, text, sentAtMs: 0 },
        chat: { id: 'conference:abc', kind: kind as 'direct', title },
      },
      { isRequest, expiresAtMs: 0 },
    ).payload(pushTexts(language))

  it('names the person, and in a conference also the conference', () => {
    expect(payload('Hi')).toEqual({
      title: 'Ben',
      body: 'Hi',
      type: 'message',
      url: '/conversations/conference:abc',
      message_id: 'm',
    })
    expect(payload('Hi', { kind: 'conference' })).toMatchObject({ title: 'Board', body: 'Ben: Hi' })
    expect(payload('Hi', { isRequest: true })).toMatchObject({ type: 'request', body: 'Contact request: Hi' })
  })

  it('is in the language of the recipient', () => {
    expect(payload('Hi', { isRequest: true, language: 'ru' }).body).toBe(
      'Запрос на добавление в контакты: Hi',
    )
    const inviter = { userId: 1, displayName: 'Бен' }
    const call = { id: '1', revision: 1, video: true, inviter, ringsUntilMs: 5 }
    expect(callNotification({ call }).payload(pushTexts('ru'))).toMatchObject({
      body: 'Входящий видеозвонок',
    })
    expect(callNotification({ call: { ...call, video: false } }).payload(pushTexts('nl')).body).toBe(
      'Incoming call',
    )
    expect(callNotification({ call }).payload(pushTexts('ar')).body).toBe('مكالمة فيديو واردة')
  })

  it('is one line of at most 120 characters, whatever the text', () => {
    expect(payload('one\n\n two\t three').body).toBe('one two three')
    for (const text of ['x'.repeat(4000), '😀'.repeat(4000), 'שלום '.repeat(800)]) {
      const { body } = payload(text)
      expect(Array.from(body).length).toBeLessThanOrEqual(BODY_MAX_CHARACTERS)
      expect(body).toMatch(/…$/)
      expect(body).not.toContain('\ufffd')
    }
    expect(payload('x'.repeat(120)).body).toBe('x'.repeat(120))
    expect(Array.from(payload('x', { name: 'n'.repeat(500) }).title)).toHaveLength(80)
    expect(payload('x', { name: '' })).toMatchObject({ title: '', body: 'x' })
    expect(
      Buffer.byteLength(JSON.stringify(payload('😀'.repeat(4000), { name: '😀'.repeat(128) }))),
    ).toBeLessThan(3_000)
  })

  it('leaves out the secret part of links', () => {
    const { body } = payload('See https://a.example/j/eyJhbGciOi.abc-_def?x=1 or /invite/0123456789abcdef')
    expect(body).toBe('See https://a.example/j/…?x=1 or /invite/…')
  })
})
