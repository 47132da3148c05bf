import type { AccountState, CallInfo, Target } from '@lectern/protocol/control'
import { describe, expect, it } from 'vitest'
import { type ControlHarness, createHarness, OTHER_TAG } from '../testing/control-harness.ts'
import type { RawClient } from '../testing/raw-client.ts'

const NEW: Target = { kind: 'operation', id: 'new' }
const idOf = (harness: ControlHarness, name: string) => String(harness.authenticator.user(name).id)
const targetOf = ({ call_id }: CallInfo): Target => ({ kind: 'operation', id: call_id })

let devices = 0

/** A device of its own for each connection of an account. */
async function device(harness: ControlHarness, name: string): Promise<RawClient> {
  const client = harness.client(name)
  client.instanceId = `device-${++devices}`
  await client.login()
  await client.fresh()
  return client
}

async function people(...names: string[]) {
  const harness = await createHarness()
  const clients = []
  for (const name of names) clients.push(await device(harness, name))
  for (const client of clients) client.events()
  return { harness, clients: clients as [RawClient, ...RawClient[]] }
}

async function ring(harness: ControlHarness, from: RawClient, ...names: string[]): Promise<CallInfo> {
  const body = { user_ids: names.map(name => idOf(harness, name)), video: true }
  const { data } = await from.command('call.invite', body, NEW)
  return (data as { call: CallInfo }).call
}

/** `call.changed: state person-states` for each event. */
const changes = (client: RawClient) =>
  client
    .events()
    .filter(({ name }) => name === 'call.changed')
    .map(({ body }) => {
      const { state, people: invited } = (body as { call: CallInfo }).call
      return `${state} ${invited.map(each => each.state).join(' ')}`
    })

const snapshot = (client: RawClient) => {
  const [first] = client.take('control_snapshot') as unknown as { state: AccountState }[]
  return first?.state
}

describe('calls over v2', () => {
  it('CALL-2 ring on every device; CALL-7 and stop there as soon as one device answers', async () => {
    const { harness, clients } = await people('anna', 'ben', 'ben')
    const [anna, phone, laptop] = clients as [RawClient, RawClient, RawClient]
    const call = await ring(harness, anna, 'ben')
    expect(call).toMatchObject({
      inviter: { user_id: idOf(harness, 'anna'), display_name: 'anna' },
      people: [{ user_id: idOf(harness, 'ben'), display_name: 'ben', state: 'ringing' }],
      state: 'ringing',
      reason: null,
      video: true,
    })
    expect([anna, phone, laptop].map(changes)).toEqual(Array(3).fill(['ringing ringing']))
    expect(await phone.command('call.accept', {}, targetOf(call))).toMatchObject({
      status: 'committed',
      data: { call: { state: 'active' } },
      aggregate: { kind: 'operation', id: call.call_id },
    })
    expect([anna, laptop].map(changes)).toEqual(Array(2).fill(['active accepted']))
    expect(await laptop.command('call.accept', {}, targetOf(call))).toMatchObject({
      status: 'rejected',
      error: { code: 'permission_denied', extensions: { reason: 'answered_elsewhere' } },
    })
  })

  it('CALL-14 are in the state of a device that connects while they ring, and not after their end', async () => {
    const { harness, clients } = await people('anna', 'ben')
    const call = await ring(harness, clients[0], 'ben')
    const late = await device(harness, 'ben')
    expect(snapshot(late)).toMatchObject({ calls: [call], missed_calls: 0 })
    await clients[0].command('call.cancel', {}, targetOf(call))
    expect(late.events().map(({ name }) => name)).toEqual(['call.changed', 'call.unseen'])
    expect(snapshot(await device(harness, 'ben'))).toMatchObject({ calls: [], missed_calls: 1 })
    const { data } = await late.command(
      'call.seen',
      { call_id: call.call_id },
      { kind: 'account', id: idOf(harness, 'ben') },
    )
    expect(data).toEqual({ missed_calls: 0 })
    expect(late.events()).toMatchObject([{ name: 'call.unseen', body: { missed_calls: 0 } }])
  })

  it('CALL-14 continue to ring after a kill -9 of the server; CALL-8 and are missed in time', async () => {
    const { harness, clients } = await people('anna', 'ben')
    const call = await ring(harness, clients[0], 'ben')
    await harness.pass(20_000)
    await harness.restart()
    const ben = await device(harness, 'ben')
    await device(harness, 'anna')
    expect(snapshot(ben)).toMatchObject({ calls: [{ call_id: call.call_id, state: 'ringing' }] })
    await harness.pass(24_000)
    expect(changes(ben)).toEqual([])
    await harness.pass(1000)
    expect(changes(ben)).toEqual(['ended missed'])
    const { data } = await ben.command('call.get', {}, targetOf(call))
    expect(data).toMatchObject({ call: { state: 'ended', reason: 'missed', ended_at_ms: harness.now } })
  })

  it('CALL-10 are cancelled when the inviter does not return', async () => {
    const { harness, clients } = await people('anna', 'ben')
    await ring(harness, clients[0], 'ben')
    changes(clients[1] as RawClient)
    await clients[0].drop()
    await harness.pass(42_000)
    expect(changes(clients[1] as RawClient)).toEqual(['ended missed'])
  })

  it('K6 are changed when they have the expected version', async () => {
    const { harness, clients } = await people('anna', 'ben')
    const [anna, ben] = clients as [RawClient, RawClient]
    const { data, aggregate_version } = await anna.command(
      'call.invite',
      { user_ids: [idOf(harness, 'ben')], video: false },
      NEW,
    )
    const { call } = data as { call: CallInfo }
    const target = targetOf(call)
    const conflict = { status: 'rejected', error: { code: 'version_conflict' } }
    for (const name of ['call.accept', 'call.decline', 'call.leave', 'call.get'])
      expect(await ben.command(name, {}, target, { expected_version: '99' }), name).toMatchObject(conflict)
    const { data: unchanged } = await anna.command('call.get', {}, target)
    expect((unchanged as { call: CallInfo }).call.state).toBe('ringing')
    const current = { expected_version: aggregate_version as string }
    expect((await ben.command('call.accept', {}, target, current)).status).toBe('committed')
    expect(await anna.command('call.cancel', {}, target, current)).toMatchObject(conflict)
  })

  it('K6 are changed by one of two devices that expect the same version at the same time', async () => {
    const { harness, clients } = await people('anna', 'ben', 'cara')
    const [anna, ben, cara] = clients as [RawClient, RawClient, RawClient]
    const call = await ring(harness, anna, 'ben', 'cara')
    const current = {
      expected_version: (await anna.command('call.get', {}, targetOf(call))).aggregate_version as string,
    }
    const results = await Promise.all(
      [ben, cara].map(each => each.command('call.accept', {}, targetOf(call), current)),
    )
    expect(results.map(({ status }) => status).sort()).toEqual(['committed', 'rejected'])
  })

  it('CALL-3 are made once, when the answer is lost and the server killed', async () => {
    const { harness, clients } = await people('anna', 'ben')
    const body = { user_ids: [idOf(harness, 'ben')], video: false }
    const first = await clients[0].command('call.invite', body, NEW, { command_id: 'invite-1' })
    await harness.restart()
    const anna = await device(harness, 'anna')
    const again = await anna.command('call.invite', body, NEW, { command_id: 'invite-1' })
    expect(again.data).toEqual(first.data)
    expect(snapshot(anna)?.calls).toHaveLength(1)
  })

  it('are refused where they are not possible', async () => {
    const { harness, clients } = await people('anna', 'ben', 'cara')
    const [anna, ben, cara] = clients as [RawClient, RawClient, RawClient]
    const call = await ring(harness, anna, 'ben')
    const own: Target = { kind: 'account', id: idOf(harness, 'anna') }
    const body = { user_ids: ['999'], video: true }
    const refused: [RawClient, Parameters<RawClient['command']>, string][] = [
      [anna, ['call.invite', body, NEW], 'not_callable'],
      [anna, ['call.invite', { ...body, user_ids: ['x'] }, NEW], 'not_callable'],
      [anna, ['call.invite', body, { kind: 'operation', id: 'old' }], 'invalid_argument'],
      [anna, ['call.invite', body, { kind: 'conference', id: 'none' }], 'conference_not_found'],
      [anna, ['call.accept', {}, targetOf(call)], 'call_not_found'],
      [cara, ['call.accept', {}, targetOf(call)], 'call_not_found'],
      [cara, ['call.get', {}, targetOf(call)], 'call_not_found'],
      [ben, ['call.cancel', {}, targetOf(call)], 'call_not_found'],
      [ben, ['call.accept', {}, { kind: 'operation', id: '1e3' }], 'call_not_found'],
      [anna, ['call.list', { before: 'x' }, own], 'call_not_found'],
    ]
    for (const [client, command, reason] of refused) {
      const result = await client.command(...command)
      const error = 'error' in result ? result.error : undefined
      expect(error?.extensions?.reason ?? error?.code, command.join()).toBe(reason)
    }
    expect(await ben.command('call.list', {}, own)).toMatchObject({ error: { code: 'permission_denied' } })
    for (const user_ids of [[], Array.from({ length: 21 }, (_, i) => String(i + 1)), ['2', '2']])
      expect(await anna.command('call.invite', { user_ids, video: true }, NEW)).toMatchObject({
        error: { code: 'invalid_argument' },
      })
  })

  it('CALL-14 are listed, newest first', async () => {
    const { harness, clients } = await people('anna', 'ben', 'cara')
    const first = await ring(harness, clients[0], 'ben')
    const second = await ring(harness, clients[0], 'cara', 'ben')
    const list = async (client: RawClient, name: string, body = {}) => {
      const { data } = await client.command('call.list', body, { kind: 'account', id: idOf(harness, name) })
      const { calls, has_more } = data as { calls: CallInfo[]; has_more: boolean }
      return [calls.map(({ call_id }) => call_id), has_more]
    }
    expect(await list(clients[0], 'anna')).toEqual([[second.call_id, first.call_id], false])
    expect(await list(clients[0], 'anna', { limit: 1 })).toEqual([[second.call_id], true])
    expect(await list(clients[1] as RawClient, 'ben', { before: second.call_id })).toEqual([
      [first.call_id],
      false,
    ])
    expect(await list(clients[2] as RawClient, 'cara')).toEqual([[second.call_id], false])
  })

  it('CALL-7 are answered by entering their conference, and CALL-12 end with its session', async () => {
    const { harness, clients } = await people('anna', 'ben')
    const [anna, ben] = clients as [RawClient, RawClient]
    const call = await ring(harness, anna, 'ben')
    const known = harness.directory.known.get(OTHER_TAG)
    if (known) harness.directory.known.set(call.conference_tag, { ...known, tag: call.conference_tag })
    await ben.join(call.conference_tag)
    await anna.join(call.conference_tag)
    changes(anna)
    await harness.pass(1000)
    expect(changes(anna)).toEqual(['active accepted'])
    await ben.command('call.leave', {}, targetOf(call))
    expect(changes(anna)).toEqual(['active left', 'ended left'])
    await harness.settle()
    expect(harness.conferences.size.sessions).toBe(0)
  })
})

describe('calls over v1', () => {
  it('CALL-18 ring and are answered', async () => {
    const { harness, clients } = await people('anna')
    const ben = harness.client('ben')
    await ben.login(null)
    const call = await ring(harness, clients[0], 'ben')
    expect(ben.takeOther()).toMatchObject({ event: 'call.changed', data: { call: { state: 'ringing' } } })
    await ben.send(JSON.stringify({ id: '1', command: 'call.accept', target: targetOf(call), params: {} }))
    expect(ben.takeOther()).toMatchObject({ event: 'call.changed', data: { call: { state: 'active' } } })
    expect(ben.takeOther()).toMatchObject({ id: '1', result: { call: { state: 'active' } } })
  })
})
