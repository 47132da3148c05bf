import { describe, expect, it } from 'vitest'
import { MAX_INFLIGHT } from '../limits/constants.ts'
import { type ControlHarness, createHarness, OTHER_TAG, TAG } from '../testing/control-harness.ts'

const both = async (settings: Parameters<typeof createHarness>[0] = {}) => {
  const harness = await createHarness(settings)
  const anna = await harness.enter('anna', 'moderator')
  const ben = await harness.enter('ben')
  anna.events()
  ben.events()
  return { harness, anna, ben }
}

const handsUp = (harness: ControlHarness, { sessionId }: { sessionId: string }) =>
  harness.registry
    .state(Number(sessionId))
    ?.state.participants.filter(({ hand_raised_at_ms }) => hand_raised_at_ms !== null).length

/** Storing messages waits until the returned function is called. */
function gate(harness: ControlHarness) {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  const { append } = harness.chat
  harness.chat.append = async (...draft) => {
    await opened
    return append(...draft)
  }
  return open
}

const texts = (harness: ControlHarness, sessionId: string) =>
  harness.registry.state(Number(sessionId))?.state.messages.map(({ text }) => text)

describe('commands', () => {
  it('K1 are refused with the binding of another generation', async () => {
    const { harness, ben } = await both()
    const { binding } = ben
    await ben.drop()
    await ben.login()
    await ben.resume()
    const stale = await ben.command('chat.send', { text: 'x' }, ben.session, { binding })
    expect(stale).toMatchObject({ status: 'rejected', error: { code: 'stale_binding' } })
    expect(texts(harness, ben.sessionId)).toEqual([])
  })

  it('K2 are executed once, and every repetition gets the same result', async () => {
    const { harness, anna, ben } = await both()
    const lower = () => anna.command('participant.lower_hands', {}, anna.session, { command_id: 'once' })
    const first = await lower()
    await ben.command('participant.update', { hand_raised: true })
    expect(await lower()).toEqual(first)
    await anna.drop()
    await anna.login()
    await anna.fresh()
    await anna.join()
    expect({ ...(await lower()), binding: first.binding }).toEqual(first)
    expect(handsUp(harness, ben)).toBe(1)
  })

  it('K2 are executed again if they set a state, unless they have an expected version', async () => {
    const { harness, anna, ben } = await both()
    const set = (hand_raised: boolean, more = {}) =>
      ben.command('participant.update', { hand_raised }, ben.session, {
        command_id: `raised-${hand_raised}`,
        ...more,
      })
    await set(true)
    await set(false)
    expect((await set(true)).status).toBe('applied')
    expect(handsUp(harness, ben)).toBe(1)
    expect(anna.eventNames()).toEqual(Array(3).fill('participant.changed'))

    const version = harness.registry.state(Number(ben.sessionId))?.version
    const once = { command_id: 'once', expected_version: String(version) }
    const first = await set(false, once)
    await set(true)
    expect(await set(false, once)).toEqual(first)
    expect(handsUp(harness, ben)).toBe(1)
  })

  it('K2 wait for the first execution while it is in progress', async () => {
    const { harness, ben } = await both()
    const open = gate(harness)
    const send = () => ben.command('chat.send', { text: 'x' }, ben.session, { command_id: 'once' })
    expect(await send()).toBeUndefined()
    expect(await send()).toBeUndefined()
    open()
    await harness.settle()
    expect(ben.take('control_result').map(({ status }) => status)).toEqual(['committed', 'committed'])
    expect(texts(harness, ben.sessionId)).toEqual(['x'])
  })

  it('K2 are executed once per connection if they join or leave', async () => {
    const { ben } = await both()
    const join = () =>
      ben.command('conference.join', {}, { kind: 'conference', id: TAG }, { command_id: 'j' })
    const first = await join()
    expect(await join()).toEqual(first)
    await ben.login()
    await ben.fresh()
    expect((await join()).data).not.toEqual(first.data)
  })

  it('K3 conflict when the same id has other content', async () => {
    const { ben } = await both()
    const send = (body: object, more = {}) =>
      ben.command('chat.send', { ...body }, ben.session, { command_id: 'once', ...more })
    const first = await send({ text: 'x' })
    expect(await send({ text: 'x' }, { ttl_ms: 5, extensions: { a: 1 } })).toEqual(first)
    for (const [body, more] of [
      [{ text: 'y' }, {}],
      [{ text: 'x' }, { expected_version: '1' }],
      [{ text: 'x' }, { name: 'participant.update' }],
    ] as const)
      expect(await send(body, more)).toMatchObject({
        status: 'rejected',
        error: { code: 'idempotency_conflict' },
      })
  })

  it('K3 conflict also with per-connection and repeatable commands', async () => {
    const { harness, anna, ben } = await both()
    const conference = { kind: 'conference', id: TAG } as const
    const conflict = { status: 'rejected', error: { code: 'idempotency_conflict' } }
    await ben.command('chat.send', { text: 'x' }, ben.session, { command_id: 'sent' })
    const other = harness.client('ben')
    other.instanceId = 'another-device'
    await other.login()
    await other.fresh()
    for (const name of ['conference.leave', 'conference.join'])
      for (const client of [ben, other])
        expect(await client.command(name, {}, conference, { command_id: 'sent' })).toMatchObject(conflict)
    const attach = { worker_id: 'w' }
    const job = { kind: 'operation', id: 'job' } as const
    expect(await ben.command('job.attach', attach, job, { command_id: 'sent' })).toMatchObject(conflict)
    expect(anna.eventNames()).toEqual(['chat.message'])

    await ben.command('chat.history', {}, ben.session, { command_id: 'read' })
    const send = await ben.command('chat.send', { text: 'y' }, ben.session, { command_id: 'read' })
    expect(send).toMatchObject(conflict)
    await ben.command('conference.join', {}, conference, { command_id: 'joined' })
    expect(await other.command('conference.leave', {}, conference, { command_id: 'joined' })).toMatchObject(
      conflict,
    )
    expect(texts(harness, ben.sessionId)).toEqual(['x'])
  })

  it('K3 conflict even if the outcome of the first is unknown', async () => {
    const { harness, ben } = await both()
    const { append } = harness.chat
    harness.chat.append = async () => {
      throw new Error('disk full')
    }
    const send = (text: string) => ben.command('chat.send', { text }, ben.session, { command_id: 'once' })
    expect((await send('x')).status).toBe('outcome_unknown')
    harness.chat.append = append
    expect(await send('y')).toMatchObject({ error: { code: 'idempotency_conflict' } })
    expect((await send('x')).status).toBe('committed')
  })

  it('K3 are the same in another order of keys', async () => {
    const { ben } = await both()
    const history = (body: object) =>
      ben.command('chat.history', { ...body }, ben.session, { command_id: 'once' })
    const first = await history({ limit: 5, before: '100' })
    expect(first.status).toBe('applied')
    expect(await history({ before: '100', limit: 5 })).toEqual(first)
  })

  it('K4 are executed again after a transient error', async () => {
    const { harness, ben } = await both()
    const { append } = harness.chat
    harness.chat.append = async () => {
      throw new Error('disk full')
    }
    const send = () => ben.command('chat.send', { text: 'x' }, ben.session, { command_id: 'once' })
    const failed = await send()
    expect(failed).toMatchObject({
      status: 'outcome_unknown',
      error: { code: 'outcome_unknown', retry_after_ms: expect.any(Number) },
    })
    expect(JSON.stringify(failed)).not.toContain('disk')
    harness.chat.append = append
    expect((await send()).status).toBe('committed')
  })

  it('K5 and T9 store a message once, also across a crash, and whether the sender is still inside or not', async () => {
    const { harness, ben } = await both()
    const send = () => ben.command('chat.send', { text: 'x' }, ben.session, { command_id: 'once' })
    const { data } = await send()
    await harness.restart()
    await ben.login()
    await ben.fresh()
    expect((await send()).data).toEqual(data)
    expect(await ben.command('chat.send', { text: 'y' }, ben.session, { command_id: 'once' })).toMatchObject({
      error: { code: 'idempotency_conflict' },
    })
    await ben.join()
    expect((await send()).data).toEqual(data)
    expect(texts(harness, ben.sessionId)).toEqual(['x'])
  })

  it('K6 are refused when the session has another version', async () => {
    const { anna, ben } = await both()
    const sent = await ben.command('chat.send', { text: 'x' })
    expect(sent.aggregate).toEqual({ kind: 'conference_session', id: ben.sessionId })
    const version = sent.aggregate_version as string
    expect(anna.events().at(-1)?.aggregate_version).toBe(version)
    const lock = (expected_version: string) =>
      anna.command(
        'conference.set_lock',
        { locked: true },
        { kind: 'conference', id: TAG },
        { expected_version },
      )
    expect(await lock('1')).toMatchObject({ status: 'rejected', error: { code: 'version_conflict' } })
    expect((await lock(version)).status).toBe('committed')
    const carl = await ben.command(
      'conference.join',
      {},
      { kind: 'conference', id: OTHER_TAG },
      { expected_version: '0' },
    )
    expect(carl.status).toBe('applied')
  })

  it('K6 about media are refused when the session has another version, and change nothing', async () => {
    const { harness, ben } = await both()
    const { version } = harness.registry.state(Number(ben.sessionId)) ?? {}
    const open = (expected_version: string) =>
      ben.command('media.open', {}, ben.session, { expected_version })
    expect(await open('1')).toMatchObject({
      status: 'rejected',
      error: { code: 'version_conflict', extensions: { reason: 'other_version' } },
    })
    expect(harness.media.calls).toEqual([])
    expect((await open(String(version))).status).toBe('applied')
  })

  it('K6 expect no version of accounts and conversations', async () => {
    const { harness, ben } = await both()
    const account = { kind: 'account', id: String(harness.authenticator.user('ben').id) } as const
    const refusal = {
      status: 'rejected',
      error: { code: 'version_conflict', extensions: { reason: 'no_version' } },
    }
    expect(await ben.command('contact.list', {}, account, { expected_version: '0' })).toMatchObject(refusal)
    const chat = { kind: 'chat', id: 'direct:1-2' } as const
    expect(
      await ben.command('message.send', { text: 'x' }, chat, { expected_version: '18446744073709551615' }),
    ).toMatchObject(refusal)
  })

  it('K7 are refused after their deadline', async () => {
    const { harness, anna, ben } = await both()
    const open = gate(harness)
    await anna.command('chat.send', { text: 'slow' })
    await ben.command('chat.send', { text: 'late' }, ben.session, { ttl_ms: 3_000, command_id: 'late' })
    await harness.pass(4_000)
    open()
    await harness.settle()
    expect(ben.take('control_result').at(-1)).toMatchObject({
      command_id: 'late',
      status: 'rejected',
      error: { code: 'deadline_exceeded' },
    })
    expect(texts(harness, ben.sessionId)).toEqual(['slow'])
  })

  it('K8 are limited in flight', async () => {
    const { harness, ben } = await both()
    const open = gate(harness)
    for (let i = 0; i < MAX_INFLIGHT; i++)
      expect(await ben.command('chat.send', { text: `${i}` })).toBeUndefined()
    const more = () => ben.command('chat.send', { text: 'more' }, ben.session, { command_id: 'more' })
    expect(await more()).toMatchObject({ status: 'rejected', error: { code: 'resource_exhausted' } })
    open()
    for (let i = 0; i < MAX_INFLIGHT; i++) await harness.settle()
    expect(ben.take('control_result')).toHaveLength(MAX_INFLIGHT)
    expect((await more()).status).toBe('committed') // K4
  })

  it('K9 are confirmed as received when they take long', async () => {
    const { harness, ben } = await both()
    const open = gate(harness)
    await ben.command('chat.send', { text: 'x' }, ben.session, { command_id: 'slow' })
    await harness.pass(2_000)
    expect(ben.take('control_result')).toMatchObject([
      { command_id: 'slow', status: 'received' },
      { command_id: 'slow', status: 'received' },
    ])
    open()
    await harness.settle()
    expect(ben.take('control_result')).toMatchObject([{ command_id: 'slow', status: 'committed' }])
  })

  it('K10 are committed when stored and applied when in effect', async () => {
    const { anna } = await both()
    const conference = { kind: 'conference', id: TAG } as const
    expect((await anna.command('chat.set_mode', { mode: 'read_only' })).status).toBe('committed')
    expect((await anna.command('participant.mute', { source: 'audio' })).status).toBe('applied')
    expect((await anna.command('conference.leave', {}, conference)).status).toBe('applied')
  })

  it('K11 are refused with a reason when they are invalid', async () => {
    const { anna, ben } = await both()
    const error = async (...call: Parameters<typeof ben.command>) => {
      const result = await ben.command(...call)
      expect(result.status).toBe('rejected')
      return 'error' in result ? result.error : null
    }
    expect(await error('chat.shout', {})).toMatchObject({ code: 'unsupported_feature' })
    expect(await error('chat.send', { text: 'x' }, { kind: 'conference', id: TAG })).toMatchObject({
      code: 'invalid_argument',
    })
    expect(await error('chat.send', { text: 7 })).toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('text'),
    })
    expect(await error('chat.set_mode', { mode: 'open' })).toMatchObject({
      code: 'permission_denied',
      extensions: { reason: 'not_moderator' },
    })
    expect(await error('chat.send', { text: 'x' }, { kind: 'conference_session', id: '999' })).toMatchObject({
      code: 'permission_denied',
      extensions: { reason: 'not_inside' },
    })
    expect(await error('conference.join', {}, { kind: 'conference', id: 'nowhere' })).toMatchObject({
      code: 'invalid_argument',
      extensions: { reason: 'conference_not_found' },
    })
    expect(anna.events()).toEqual([])
  })

  it('K12 create one membership, however often they join', async () => {
    const { harness, anna, ben } = await both()
    const first = await ben.join()
    expect((await ben.join()).data?.participant_id).toBe(first.data?.participant_id)
    expect(anna.events()).toEqual([])
    for (let i = 0; i < 8; i++)
      harness.directory.known.set(`more-${i}`, {
        tag: `more-${i}`,
        title: '',
        kind: 'partner',
        ownerId: null,
        entry: 'open',
      })
    await Promise.all(Array.from({ length: 8 }, (_, i) => ben.join(`more-${i}`)))
    expect(harness.conferences.size.participants).toBe(9) // Anna is one of them
    const refused: unknown[] = []
    for (let i = 0; i < 8; i++) {
      const again = await ben.join(`more-${i}`)
      if (again.status !== 'applied') refused.push(again)
    }
    expect(refused).toMatchObject([{ error: { code: 'resource_exhausted' } }])
    expect((await ben.join()).status).toBe('applied')
  })

  it('leave nobody inside who joins at the moment in which the lease of the session becomes uncertain', async () => {
    const { harness, anna } = await both()
    const { leases, directory } = harness
    const cara = await harness.connect('cara')
    const { check } = leases
    const find = directory.find.bind(directory)
    directory.find = tag => {
      leases.check = () => 'unsure'
      return find(tag)
    }
    expect(await cara.join()).toMatchObject({ error: { code: 'temporarily_unavailable' } })
    await cara.drop()
    Object.assign(leases, { check })
    await harness.pass(1_000)
    expect(harness.registry.state(Number(anna.sessionId))?.state.participants).toHaveLength(2)
  })

  it('K2 are executed again if they only read, without caching the result', async () => {
    const { ben } = await both()
    const history = () => ben.command('chat.history', {}, ben.session, { command_id: 'h' })
    expect(await history()).toMatchObject({ data: { messages: [] } })
    await ben.command('chat.send', { text: 'x' })
    expect(await history()).toMatchObject({ data: { messages: [{ text: 'x' }] } })
  })

  it('K14 are refused when the account has filled its share, and repetitions are still answered', async () => {
    const { harness, anna, ben } = await both({ resultLimits: { ofPerson: 4_000 } })
    const lower = (by: typeof anna, i: number) =>
      by.command('participant.lower_hands', {}, by.session, { command_id: `c-${i}` })
    const lowered = await lower(anna, 0)
    const first = await lower(ben, 0) // not permitted, which is remembered as well
    let next = 1
    while (JSON.stringify(await lower(ben, next)).includes('permission_denied')) next += 1
    expect(next).toBeGreaterThan(9)
    expect(await lower(ben, next)).toMatchObject({
      status: 'rejected',
      error: { code: 'rate_limited', retry_after_ms: expect.any(Number) },
    })
    expect(await lower(ben, 0)).toEqual(first)
    expect((await ben.command('chat.history', {})).status).toBe('applied')
    expect((await ben.command('participant.update', { hand_raised: true })).status).toBe('applied')
    expect(await lower(anna, 0)).toEqual(lowered)
    await harness.pass(361_000)
    expect(await lower(ben, next)).toMatchObject({ error: { code: 'permission_denied' } })
  })

  it('leave no participant behind when the client disconnects during a join', async () => {
    const { harness, anna } = await both()
    const find = harness.directory.find.bind(harness.directory)
    const { promise: opened, resolve: open } = Promise.withResolvers<void>()
    harness.directory.find = async tag => {
      await opened
      return find(tag)
    }
    const [carl, dora] = [await harness.connect('carl'), await harness.connect('dora')]
    await carl.join()
    await dora.join()
    await carl.drop(1000) // left
    await dora.drop() // lost
    open()
    await harness.settle()
    expect(anna.eventNames()).toEqual([
      'participant.joined',
      'participant.joined',
      'participant.left',
      'participant.changed',
    ])
    await harness.pass(30_000)
    expect(harness.registry.state(Number(anna.sessionId))?.state.participants).toHaveLength(2)
  })
})
