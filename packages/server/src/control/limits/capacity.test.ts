import { describe, expect, it } from 'vitest'
import { type ControlHarness, createHarness } from '../testing/control-harness.ts'
import type { RawClient } from '../testing/raw-client.ts'
import { RESERVED_SOCKETS, SYNC_TIMEOUT_MS } from './constants.ts'

let names = 0
/** Somebody new at that address. */
function visitor(harness: ControlHarness, address: string, name = `visitor-${++names}`): RawClient {
  const client = harness.client(name)
  client.address = address
  client.instanceId = `instance-${++names}`
  return client
}

/** Opens that many sockets at the address and says nothing on them. */
function openSockets(harness: ControlHarness, address: string, count: number): RawClient[] {
  return Array.from({ length: count }, () => {
    const client = visitor(harness, address)
    client.open()
    return client
  })
}

/** The answer to a login; a refused client goes. */
async function logIn(client: RawClient, offer?: null) {
  const result = await client.login(offer)
  if (!result.ok) await client.drop()
  return result
}

const closedWith = (clients: RawClient[]) => clients.map(({ socket }) => socket.closedWith?.reason ?? null)
const none = (count: number) => Array<null>(count).fill(null)
const TOO_MANY = { ok: false, error: { code: 'too_many_connections', message: expect.any(String) } }
const FULL = { ok: false, error: { code: 'server_full', message: expect.any(String) } }

describe('connections of one account', () => {
  it.each([
    ['v1', null],
    ['v2, never synced', undefined],
  ])('W11 are limited from the login on: %s', async (_, offer) => {
    const harness = await createHarness({ capacity: { perAccount: 2 } })
    const [first, second, third] = [1, 2, 3].map(n => visitor(harness, `10.0.0.${n}`, 'anna')) as [
      RawClient,
      RawClient,
      RawClient,
    ]
    expect(await first.login(offer)).toMatchObject({ ok: true })
    expect(await second.login(offer)).toMatchObject({ ok: true })
    expect(await third.login(offer)).toEqual(TOO_MANY)
    expect(third.socket.closedWith).toEqual({ code: 1013, reason: 'too_many_connections' })
    expect(await visitor(harness, '10.0.0.1', 'ben').login(offer)).toMatchObject({ ok: true })
    await first.drop()
    expect(await visitor(harness, '10.0.0.4', 'anna').login(offer)).toMatchObject({ ok: true })
  })

  it('W11 are sixteen times as many for a worker', async () => {
    const harness = await createHarness({ capacity: { perAccount: 1 } })
    Object.assign(harness.authenticator.user('recorder'), { kind: 'worker' })
    for (let i = 0; i < 16; i++)
      expect(await visitor(harness, '10.0.0.1', 'recorder').login()).toMatchObject({ ok: true })
    expect(await visitor(harness, '10.0.0.1', 'recorder').login()).toEqual(TOO_MANY)
  })
})

describe('connections of one address', () => {
  it('W11 are limited after the login and no longer counted after their end', async () => {
    const harness = await createHarness({ capacity: { perAddress: 2 } })
    const [first, second] = [visitor(harness, '10.0.0.1'), visitor(harness, '10.0.0.1')]
    expect(await first.login(null)).toMatchObject({ ok: true })
    expect(await second.login()).toMatchObject({ ok: true })
    expect(await logIn(visitor(harness, '10.0.0.1'))).toEqual(TOO_MANY)
    expect(await logIn(visitor(harness, '::ffff:10.0.0.1'), null)).toEqual(TOO_MANY) // the same address
    expect(await visitor(harness, '10.0.0.2').login()).toMatchObject({ ok: true })
    await second.drop()
    expect(await visitor(harness, '10.0.0.1').login()).toMatchObject({ ok: true })
  })

  it('W11 are counted per /64 in IPv6, with twice the limit per /48', async () => {
    const harness = await createHarness({ capacity: { perAddress: 2 } })
    const login = (address: string) => logIn(visitor(harness, address))
    expect(await login('2001:db8:1:1::1')).toMatchObject({ ok: true })
    expect(await login('2001:db8:1:1:ffff::2')).toMatchObject({ ok: true })
    expect(await login('2001:db8:1:1::3')).toEqual(TOO_MANY)
    expect(await login('2001:db8:1:2::1')).toMatchObject({ ok: true })
    expect(await login('2001:db8:1:3::1')).toMatchObject({ ok: true })
    expect(await login('2001:db8:1:4::1')).toEqual(TOO_MANY)
    expect(await login('2001:db8:2:1::1')).toMatchObject({ ok: true })
  })

  it('W11 are not counted for workers, which can log in behind a full address', async () => {
    const harness = await createHarness({ capacity: { perAddress: 2 } })
    Object.assign(harness.authenticator.user('recorder'), { kind: 'worker' })
    for (let i = 0; i < 2; i++) await visitor(harness, '10.0.0.1').login()
    expect(await visitor(harness, '10.0.0.1', 'recorder').login()).toMatchObject({ ok: true })
  })

  it('W11 allow 500 students behind one address to reconnect at once', async () => {
    const harness = await createHarness({ capacity: { perAddress: 1500 } })
    const students = Array.from({ length: 500 }, () => visitor(harness, '10.0.0.1'))
    const again = students.map(({ instanceId }) =>
      Object.assign(visitor(harness, '10.0.0.1'), { instanceId }),
    )
    for (const student of students) expect(await student.login()).toMatchObject({ ok: true })
    const here = again.map(student => student.open()) // the former sockets are not known to be lost
    expect(here).toHaveLength(500)
    expect(closedWith(again)).toEqual(none(500))
    for (const student of again) expect(await student.login()).toMatchObject({ ok: true })
  })
})

describe('sockets before their login', () => {
  it('W13 are limited per address without affecting other addresses', async () => {
    const harness = await createHarness({ capacity: { perAddress: 20 } })
    const silent = openSockets(harness, '10.0.0.1', 10)
    const [refused] = openSockets(harness, '10.0.0.1', 1) as [RawClient]
    expect(refused.socket.closedWith).toEqual({ code: 1013, reason: 'too_many_connections' })
    expect(closedWith(silent)).toEqual(none(10))
    expect(await visitor(harness, '10.0.0.2').login()).toMatchObject({ ok: true })
    await harness.pass(3_000)
    // A socket that has waited for long gives way to one that logs in at once.
    expect(await visitor(harness, '10.0.0.1').login()).toMatchObject({ ok: true })
    expect(silent[0]?.socket.isTerminated).toBe(true)
    expect(silent.filter(({ socket }) => socket.isTerminated)).toHaveLength(1)
  })

  it('W13 are evicted from the address that has most when there are too many', async () => {
    const harness = await createHarness({ capacity: { total: 2 } })
    const sockets = 2 + RESERVED_SOCKETS
    const silent = openSockets(harness, '10.0.0.1', sockets)
    expect(closedWith(silent)).toEqual(none(sockets))
    expect(await visitor(harness, '10.0.0.2').login()).toMatchObject({ ok: true })
    expect(silent[0]?.socket.isTerminated).toBe(true)
    const [, refused] = openSockets(harness, '10.0.0.1', 2) as [RawClient, RawClient]
    expect(refused.socket.closedWith).toEqual({ code: 1013, reason: 'server_full' })
  })
})

describe('a full server', () => {
  it('W12 refuses people and accepts its recorder', async () => {
    const harness = await createHarness({ capacity: { total: 3 } })
    Object.assign(harness.authenticator.user('recorder'), { kind: 'worker' })
    for (let i = 0; i < 3; i++)
      expect(await visitor(harness, `10.0.0.${i}`).login()).toMatchObject({ ok: true })
    const refused = visitor(harness, '10.0.0.9')
    expect(await refused.login()).toEqual(FULL)
    expect(refused.socket.closedWith).toEqual({ code: 1013, reason: 'server_full' })
    const recorder = visitor(harness, '10.0.0.10', 'recorder')
    expect(await recorder.login()).toMatchObject({ ok: true })
    expect((await recorder.fresh()).status).toBe('ready')
  })

  it('W12 accepts its recorder while silent sockets fill the reserve', async () => {
    const harness = await createHarness({ capacity: { total: 1 } })
    Object.assign(harness.authenticator.user('recorder'), { kind: 'worker' })
    await visitor(harness, '10.0.0.1').login()
    const silent = Array.from({ length: 3 * RESERVED_SOCKETS }, (_, i) => `10.0.1.${i % 100}`).flatMap(
      address => openSockets(harness, address, 1),
    )
    const open = silent.filter(({ socket }) => !socket.isTerminated && !socket.closedWith)
    expect(open).toHaveLength(RESERVED_SOCKETS)
    expect(await visitor(harness, '10.0.0.10', 'recorder').login()).toMatchObject({ ok: true })
  })
})

describe('a v2 connection without a sync', () => {
  it('W14 is closed, unlike one that has synced or uses v1', async () => {
    const harness = await createHarness()
    const [lazy, synced, old] = [
      visitor(harness, '10.0.0.1'),
      visitor(harness, '10.0.0.1'),
      visitor(harness, '10.0.0.1'),
    ]
    await lazy.login()
    await old.login(null)
    await synced.login()
    await synced.fresh()
    await harness.pass(SYNC_TIMEOUT_MS + 1_000)
    expect(lazy.socket.closedWith).toEqual({ code: 4408, reason: 'sync_timeout' })
    expect(closedWith([synced, old])).toEqual(none(2))
  })
})
