import { Refusal } from '@lectern/protocol'
import { describe, expect, it } from 'vitest'
import { SEND_BUFFER_MAX_BYTES } from '../limits/constants.ts'
import { createHarness, OTHER_TAG, TAG } from '../testing/control-harness.ts'

describe('login', () => {
  it('selects v2 and returns the account and the limits', async () => {
    const harness = await createHarness()
    const anna = harness.client('anna')
    const result = await anna.login()
    expect(result).toMatchObject({
      ok: true,
      user: { user_id: 1, login: 'anna', display_name: 'anna', kind: 'ordinary', capabilities: [] },
      protocol_selection: {
        version: 2,
        profile: 'svc.control.v2.core',
        deployment_id: 'test',
        user_id: '1',
        limits: { max_frame_bytes: 262_144, resume_grace_ms: 29_000 },
      },
    })
  })

  it('accepts an offer that includes v1 and refuses one without v2', async () => {
    const harness = await createHarness()
    const offer = { versions: [2, 1], require_version: 1, profiles: ['svc.control.v2.core'] }
    expect(await harness.client('anna').login(offer)).toMatchObject({ protocol_selection: { version: 2 } })
    for (const wrong of [
      { ...offer, versions: [1] },
      { ...offer, profiles: ['svc.control.v3'] },
      { ...offer, require_version: 3 },
      { versions: [2] },
    ]) {
      const client = harness.client('anna')
      expect(await client.login(wrong)).toMatchObject({ ok: false, error: { code: 'protocol_unsupported' } })
      expect(client.socket.closedWith).toEqual({ code: 4400, reason: 'protocol_unsupported' })
    }
  })

  it('W2 must arrive in time, and nothing may precede its answer', async () => {
    const harness = await createHarness()
    const early = harness.client('anna')
    void early.login()
    void early.fresh().catch(() => {})
    await harness.settle()
    expect(early.socket.closedWith).toEqual({ code: 4400, reason: 'unauthenticated' })

    const silent = harness.client('ben')
    silent.open()
    await harness.pass(9_000)
    expect(silent.socket.closedWith).toBeNull()
    await harness.pass(3_000)
    expect(silent.socket.closedWith).toEqual({ code: 4408, reason: 'login_timeout' })
    await harness.pass(5_000)
    expect(silent.socket.isTerminated).toBe(true) // it did not even close
  })

  it.each([
    ['unauthenticated', 4401],
    ['token_expired', 4401],
    ['session_ended', 4401],
    ['link_invalid', 4401],
    ['link_rotated', 4403],
    ['room_closed', 4403],
    ['account_deleted', 4410],
  ] as const)('W3 answers %s, then closes with %i', async (code, closeCode) => {
    const harness = await createHarness()
    harness.authenticator.refused.set('anna', new Refusal(code))
    const client = harness.client('anna')
    expect(await client.login()).toMatchObject({ ok: false, error: { code } })
    expect(client.socket.closedWith).toEqual({ code: closeCode, reason: code })
  })

  it('W3 reports unexpected errors as temporary, without details', async () => {
    const harness = await createHarness()
    harness.authenticator.refused.set('anna', new Refusal('internal', 'no such table: users'))
    const client = harness.client('anna')
    const result = await client.login()
    expect(result).toMatchObject({ ok: false, error: { code: 'temporarily_unavailable' } })
    expect(JSON.stringify(result)).not.toContain('table')
    expect(client.socket.closedWith?.code).toBe(1001)
  })

  it('W4 gives the role of the link to this connection in the room of the link', async () => {
    const harness = await createHarness()
    const teacher = await harness.connect('anna', `moderator@${TAG}`)
    expect(await teacher.join(OTHER_TAG)).toMatchObject({ data: { role: 'participant' } })
    expect(await teacher.join(TAG)).toMatchObject({ data: { role: 'moderator' } })
    const phone = harness.client('anna')
    phone.instanceId = 'phone'
    await phone.login()
    await phone.fresh()
    expect(await phone.join(TAG)).toMatchObject({ data: { role: 'participant' } })
  })
})

describe('a connection', () => {
  it('W5 is pinged, and closed when it is silent', async () => {
    const harness = await createHarness()
    const anna = await harness.enter('anna')
    await harness.pass(60_000)
    expect(anna.socket.pings).toBeGreaterThan(5)
    expect(anna.socket.closedWith).toBeNull()
    anna.isFrozen = true
    await harness.pass(22_000)
    expect(anna.socket.closedWith).toEqual({ code: 4408, reason: 'heartbeat_timeout' })
  })

  it('W5 stays when the clock is corrected by an hour', async () => {
    const harness = await createHarness()
    const anna = await harness.enter('anna')
    for (const correctionMs of [3_600_000, -3_600_000]) {
      Object.assign(harness, { correctionMs })
      await harness.pass(30_000)
      expect(anna.socket.closedWith).toBeNull()
    }
    anna.isFrozen = true
    await harness.pass(22_000)
    expect(anna.socket.closedWith).toEqual({ code: 4408, reason: 'heartbeat_timeout' })
  })

  it('W5 that was silent is announced as vanished, one that was closed is not', async () => {
    const harness = await createHarness()
    const vanished: number[] = []
    harness.domainEvents.subscribe('device-vanished', async ({ userId }) => void vanished.push(userId))
    const [anna, ben] = [await harness.enter('anna'), await harness.enter('ben')]
    await ben.drop(1006)
    anna.isFrozen = true
    await harness.pass(22_000)
    await anna.drop(1006)
    expect(vanished).toEqual([harness.authenticator.user('anna').id])
  })

  it('W6 ends at once when the client leaves, and otherwise waits to be resumed', async () => {
    const harness = await createHarness()
    const anna = await harness.enter('anna', 'moderator')
    for (const code of [1000, 1001]) {
      const ben = await harness.enter('ben')
      anna.events()
      await ben.drop(code)
      expect(anna.events()).toMatchObject([{ name: 'participant.left', body: { reason: 'left' } }])
    }
    for (const code of [1006, 1005, 4000, 4400]) {
      const ben = await harness.enter('ben')
      anna.events()
      await ben.drop(code)
      expect(anna.events()).toMatchObject([{ body: { participant: { presence: 'away' } } }])
    }
    await harness.pass(30_000)
    expect(anna.events().at(-1)).toMatchObject({ name: 'participant.left' })
  })

  it('W6 ends at once when the client leaves while it resumes', async () => {
    const harness = await createHarness()
    const [anna, ben] = [await harness.enter('anna'), await harness.enter('ben')]
    await ben.drop()
    await ben.login()
    anna.events()
    await Promise.allSettled([ben.resume(), ben.drop(1001)])
    expect(anna.events().at(-1)).toMatchObject({ name: 'participant.left', body: { reason: 'left' } })
  })

  it('W6 waits to be resumed after the server has closed it', async () => {
    const harness = await createHarness()
    const ben = await harness.enter('ben')
    ben.isFrozen = true
    await harness.pass(22_000)
    await ben.drop(1000) // the echo of what the server said
    await ben.login()
    expect((await ben.resume()).status).toBe('ready')
  })

  it('W7 is closed when its client does not read, without affecting others', async () => {
    const harness = await createHarness()
    const [anna, ben] = [await harness.enter('anna'), await harness.enter('ben')]
    ben.socket.bufferedAmount = SEND_BUFFER_MAX_BYTES + 1
    expect(await anna.command('chat.send', { text: 'x' })).toMatchObject({ status: 'committed' })
    expect(ben.socket.closedWith).toEqual({ code: 4429, reason: 'slow_reader' })
    expect(anna.eventNames()).toContain('chat.message')
  })

  it('W9 ends with the sign-in', async () => {
    const harness = await createHarness()
    const anna = await harness.connect('anna')
    harness.authenticator.ended.add('anna')
    await harness.pass(62_000)
    expect(anna.socket.closedWith).toEqual({ code: 4401, reason: 'session_ended' })
  })

  it('receives a frame at least every seven seconds, which shows a page that the server is running', async () => {
    const harness = await createHarness()
    const anna = await harness.connect('anna')
    await harness.pass(14_000)
    const signals = anna.take('control_signal')
    expect(signals).toMatchObject([
      { name: 'connection.alive', stream_id: 'account:1', source_id: 'server' },
      { name: 'connection.alive' },
    ])
  })
})

describe('frames', () => {
  it('F11 close the connection when they cannot be parsed', async () => {
    const harness = await createHarness()
    for (const frame of ['{', '[]', '{"control_command":{},"a":1}', '{"control_sync":{"a":1,"a":2}}']) {
      const client = await harness.connect('anna')
      await client.send(frame)
      expect(client.socket.closedWith).toEqual({ code: 4400, reason: 'invalid_argument' })
    }
    const client = await harness.connect('anna')
    await client.send(null) // not text
    expect(client.socket.closedWith).toEqual({ code: 4400, reason: 'invalid_argument' })
    const large = await harness.connect('anna')
    await large.send(JSON.stringify({ control_command: 'x'.repeat(262_144) }))
    expect(large.socket.closedWith).toEqual({ code: 4400, reason: 'resource_exhausted' })
  })

  it('F12 are answered where possible, and the connection stays open', async () => {
    const harness = await createHarness()
    const anna = await harness.enter('anna')
    await anna.send(JSON.stringify({ control_command: { command_id: 'c1', name: 7 } }))
    expect(anna.take('control_result')).toMatchObject([
      { command_id: 'c1', status: 'rejected', error: { code: 'invalid_argument' } },
    ])
    await anna.send(JSON.stringify({ control_sync: { request_id: 'r1' } }))
    expect(anna.take('control_sync_result')).toMatchObject([{ request_id: 'r1', status: 'resume_rejected' }])
    expect((await anna.command('chat.send', { text: 'x' })).status).toBe('committed')
  })

  it('F14 are refused if only servers send them, and before the first sync', async () => {
    const harness = await createHarness()
    const anna = await harness.enter('anna')
    const { binding } = anna
    await anna.send(JSON.stringify({ control_result: { binding, command_id: 'c', status: 'applied' } }))
    expect(anna.socket.closedWith).toEqual({ code: 4400, reason: 'invalid_argument' })
    const ben = harness.client('ben')
    await ben.login()
    ben.binding = binding
    await ben.command('chat.send', { text: 'x' })
    expect(ben.socket.closedWith).toEqual({ code: 4400, reason: 'invalid_argument' })
  })
})
