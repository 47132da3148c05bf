import { describe, expect, it } from 'vitest'
import { type ControlHarness, createHarness, TAG } from '../testing/control-harness.ts'
import type { RawClient } from '../testing/raw-client.ts'

const conference = { kind: 'conference', id: TAG } as const

async function withLobby(settings = {}) {
  const harness = await createHarness(settings)
  const known = harness.directory.known.get(TAG)
  if (known) harness.directory.known.set(TAG, { ...known, entry: 'lobby' })
  const anna = await harness.enter('anna', 'moderator')
  anna.events()
  return { harness, anna }
}

const ask = (client: RawClient, display_name?: string) =>
  client.command('lobby.enter', display_name === undefined ? {} : { display_name }, conference)
const userOf = (harness: ControlHarness, name: string) => String(harness.authenticator.user(name).id)
const admit = (anna: RawClient, body = {}) => anna.command('lobby.admit', body, anna.session)

describe('the lobby over v2', () => {
  it('A2 starts after a refused join and ends with an admission', async () => {
    const { harness, anna } = await withLobby()
    const ben = await harness.connect('ben')
    expect(await ben.join()).toMatchObject({
      status: 'rejected',
      error: { code: 'permission_denied', extensions: { reason: 'approval' } },
    })
    expect(anna.events()).toEqual([])
    expect(await ask(ben, ' Ben\u202e \nB ')).toMatchObject({
      status: 'applied',
      data: { status: 'waiting', reason: 'approval' },
    })
    expect(anna.events()).toMatchObject([
      {
        name: 'lobby.waiting',
        body: { person: { user_id: userOf(harness, 'ben'), display_name: 'Ben B' } },
      },
    ])
    expect(await admit(anna)).toMatchObject({ status: 'committed' })
    const status = { conference_tag: TAG, status: 'admitted' }
    expect(ben.events()).toMatchObject([
      { stream_id: `account:${userOf(harness, 'ben')}`, name: 'lobby.status', body: status },
    ])
    expect(await ben.join()).toMatchObject({ status: 'applied', data: { role: 'participant' } })
    expect(anna.events().map(({ name }) => name)).toEqual(['lobby.left', 'participant.joined'])
  })

  it('A5 gives a waiting account no events and no access to the session', async () => {
    const { harness, anna } = await withLobby()
    const ben = await harness.connect('ben')
    await ask(ben)
    ben.take('control_snapshot')
    await anna.command('chat.send', { text: 'Between us' })
    await anna.command('participant.update', { hand_raised: true })
    expect([ben.events(), ben.take('control_snapshot'), ben.take('control_signal')]).toEqual([[], [], []])
    for (const [name, body] of [
      ['chat.send', { text: 'x' }],
      ['chat.history', {}],
      ['media.open', {}],
      ['lobby.admit', {}],
      ['participant.update', { hand_raised: true }],
    ] as const) {
      const target = { kind: 'conference_session', id: anna.sessionId } as const
      expect(await ben.command(name, body, target)).toMatchObject({
        error: { extensions: { reason: 'not_inside' } },
      })
    }
    expect(await ben.command('conference.end', {}, conference)).toMatchObject({ status: 'rejected' })
  })

  it('A6 keeps an admission while the client is briefly offline', async () => {
    const { harness, anna } = await withLobby()
    const ben = await harness.connect('ben')
    await ask(ben)
    const cursors = [{ ...(ben.take('control_snapshot')[0] as object) }] as {
      stream_id: string
      stream_epoch: string
      snapshot_seq: string
    }[]
    const [{ stream_id, stream_epoch, snapshot_seq }] = cursors as [(typeof cursors)[0]]
    await ben.drop()
    await harness.pass(5000)
    await admit(anna)
    await ben.login()
    await ben.resume([{ stream_id, stream_epoch, seq: snapshot_seq }])
    expect(ben.events()).toMatchObject([{ name: 'lobby.status', body: { status: 'admitted' } }])
    expect(await ben.join()).toMatchObject({ status: 'applied' })
  })

  it('A6 keeps an admission for a client with a new connection', async () => {
    const { harness, anna } = await withLobby()
    const ben = await harness.connect('ben')
    await ask(ben)
    await ben.drop()
    await admit(anna)
    await harness.pass(60_000)
    await ben.login()
    await ben.fresh()
    expect(await ask(ben)).toMatchObject({ data: { status: 'admitted' } })
    expect(await ben.join()).toMatchObject({ status: 'applied' })
  })

  it('A10 survives a lost socket for the grace time, and ends with the connection', async () => {
    const { harness, anna } = await withLobby()
    const ben = await harness.connect('ben')
    await ask(ben)
    anna.events()
    await ben.drop()
    await harness.pass(20_000)
    await ben.login()
    await ben.resume()
    await harness.pass(30_000)
    expect(anna.events()).toEqual([])
    await ben.drop(1001) // the page was closed
    expect(anna.events()).toMatchObject([{ name: 'lobby.left', body: { reason: 'left' } }])
    const carl = await harness.connect('carl')
    await ask(carl)
    anna.events()
    await carl.drop()
    await harness.pass(30_000)
    expect(anna.events()).toMatchObject([{ name: 'lobby.left', body: { reason: 'left' } }])
  })

  it('A10 ends when the client leaves the lobby', async () => {
    const { harness, anna } = await withLobby()
    const ben = await harness.connect('ben')
    await ask(ben)
    anna.events()
    expect(await ben.command('lobby.leave', {}, conference)).toMatchObject({ status: 'applied' })
    expect(anna.events()).toMatchObject([{ name: 'lobby.left', body: { reason: 'left' } }])
  })

  it('A13 is repeated after a crash and visible to the moderator', async () => {
    const { harness, anna } = await withLobby()
    const ben = await harness.connect('ben')
    await ask(ben)
    await harness.restart()
    await anna.login()
    await anna.fresh()
    await anna.join()
    anna.events()
    await ben.login()
    await ben.fresh()
    await ask(ben)
    expect(anna.events()).toMatchObject([{ name: 'lobby.waiting' }])
    await admit(anna)
    expect(ben.events()).toMatchObject([{ name: 'lobby.status', body: { status: 'admitted' } }])
  })

  it('A14 limits requests of an account, and of an address', async () => {
    const { harness } = await withLobby({ lobbyPerMinute: { account: 6, address: 15 } })
    const ben = await harness.connect('ben')
    const carl = await harness.connect('carl')
    const dora = await harness.connect('dora')
    const codes = async (client: RawClient) => {
      const result = await ask(client)
      return 'error' in result ? result.error.code : undefined
    }
    expect([await codes(ben), await codes(ben), await codes(ben)]).toEqual([
      undefined,
      undefined,
      'rate_limited',
    ])
    expect([await codes(carl), await codes(carl)]).toEqual([undefined, undefined])
    expect([await codes(dora), await codes(dora)]).toEqual([undefined, 'rate_limited'])
    expect(await ask(dora)).toMatchObject({
      error: {
        code: 'rate_limited',
        message: expect.stringContaining('wait'),
        retry_after_ms: expect.any(Number),
      },
    })
    await harness.pass(10_000)
    expect(await codes(dora)).toBeUndefined()
  })
})

describe('the lobby over v1', () => {
  interface V1Answer {
    id?: string
    result?: Record<string, unknown>
    error?: { code: string }
    event?: string
    data?: unknown
  }
  const takeAnswers = (client: RawClient): V1Answer[] => {
    const all: V1Answer[] = []
    for (let next = client.takeOther<V1Answer>(); next; next = client.takeOther<V1Answer>()) all.push(next)
    return all
  }
  const say = async (client: RawClient, command: string) => {
    await client.send(JSON.stringify({ id: command, command, target: conference, params: {} }))
    return takeAnswers(client)
  }

  it('A2 and A6 notify of the admission, after which the join succeeds', async () => {
    const { harness, anna } = await withLobby()
    const ben = harness.client('ben')
    await ben.login(null)
    expect(await say(ben, 'conference.join')).toMatchObject([{ error: { code: 'permission_denied' } }])
    expect(await say(ben, 'lobby.enter')).toMatchObject([
      { result: { status: 'waiting', reason: 'approval' } },
    ])
    await anna.command('chat.send', { text: 'Between us' })
    expect(takeAnswers(ben)).toEqual([])
    await admit(anna)
    expect(takeAnswers(ben)).toEqual([
      { event: 'lobby.status', data: { conference_tag: TAG, status: 'admitted' } },
    ])
    expect((await say(ben, 'conference.join')).at(-1)).toMatchObject({ result: { role: 'participant' } })
  })

  it('A7 notifies of a denial', async () => {
    const { harness, anna } = await withLobby()
    const ben = harness.client('ben')
    await ben.login(null)
    await say(ben, 'lobby.enter')
    await anna.command('lobby.deny', {}, anna.session)
    expect(takeAnswers(ben)).toMatchObject([{ event: 'lobby.status', data: { status: 'denied' } }])
    expect(await say(ben, 'lobby.enter')).toMatchObject([{ error: { code: 'permission_denied' } }])
  })

  it('A6 admits as a moderator without naming the session', async () => {
    const { harness } = await withLobby()
    const carl = harness.client('carl', `moderator@${TAG}`)
    await carl.login(null)
    await say(carl, 'conference.join')
    const ben = await harness.connect('ben')
    await ask(ben)
    takeAnswers(carl)
    await carl.send(JSON.stringify({ id: '1', command: 'lobby.admit', params: {} }))
    expect(takeAnswers(carl)).toMatchObject([{ event: 'lobby.left' }, { id: '1', result: {} }])
  })

  it('A10 ends with the socket', async () => {
    const { harness, anna } = await withLobby()
    const ben = harness.client('ben')
    await ben.login(null)
    await say(ben, 'lobby.enter')
    anna.events()
    await ben.drop()
    expect(anna.events()).toMatchObject([{ name: 'lobby.left', body: { reason: 'left' } }])
  })
})
