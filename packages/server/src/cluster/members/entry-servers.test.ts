import { describe, expect, it } from 'vitest'
import type { ClusterParticipant as Participant } from '../../testing/cluster-participant.ts'
import { isRunBy, openDraining } from '../../testing/draining.ts'
import { call } from '../../testing/http.ts'
import { useTwoServers } from '../testing/use-two-servers.ts'
import { waitFor } from '../testing.ts'

const TEXT_ORDER_MS = 20_000

describe('two servers with one conference', () => {
  const { servers, addPerson, createConference, join } = useTwoServers()

  it('RELAY-1 RELAY-7 have one session, wherever people enter, and however their clients name it', async () => {
    const { a, b } = servers()
    const [anna, ben, cara] = [await addPerson('anna'), await addPerson('ben'), await addPerson('cara')]
    const tag = await createConference(anna)
    const all: Participant[] = []
    for (const next of [() => join(a, anna, tag), () => join(b, ben, tag), () => join(b, cara, tag, false)]) {
      const participant = next()
      await participant.joined(1)
      all.push(participant)
    }
    expect(new Set(all.flatMap(({ sessions }) => sessions)).size).toBe(1)
    for (const [i, each] of all.entries()) await each.say(`from ${i}`)
    for (const { texts } of all)
      await expect.poll(() => texts, { timeout: TEXT_ORDER_MS }).toEqual(['from 0', 'from 1', 'from 2'])
    const { body } = await b.call('GET', `/api/v1.0/conferences/${tag}`, { token: anna })
    expect(body).toMatchObject({ live: true })
  })

  it('know of a transcriber that polls the other server for jobs', async () => {
    const { cluster, a, b } = servers()
    const { user, password } = await cluster.operator.users.add('transcriber', {
      kind: 'worker',
      capabilities: ['jobs.transcriber'],
    })
    const body = { login: user.login, password }
    const { access_token } = (await a.call('POST', '/api/v1.0/auth/login', { body })).body
    const isKnown = async () =>
      (await b.call('GET', '/api/v1.0/server_info')).body.transcription_available === true
    expect(await isKnown()).toBe(false)
    const worker = join(a, access_token, 'none', false)
    const lease = { worker_id: 'tra-1', holding: [] }
    await worker.client.command('job.lease', { kind: 'operation', id: 'transcription' }, lease)
    await waitFor(isKnown, 'the transcriber is known')
  })

  it('RELAY-2 refuse a forged header of a server', async () => {
    const { a } = servers()
    const headers = { 'x-lectern-relay': 'e30.AAAA' }
    const { status } = await call(a.url, 'GET', '/api/v1.0/server_info', { headers })
    expect(status).toBe(403)
  })

  it('LEASE-6 hand sessions over while they drain, and take them again when they are undrained', async () => {
    const { cluster, a, b } = servers()
    const [anna, ben] = [await addPerson('anna'), await addPerson('ben')]
    const tag = await createConference(anna)
    const [first, second] = [join(a, anna, tag), join(b, ben, tag)]
    await first.joined(1)
    await second.joined(1)
    const draining = await openDraining(cluster)
    try {
      for (const [drained, other] of [
        [a, b],
        [b, a],
        [a, b],
      ] as const) {
        await draining.drain(drained)
        await waitFor(() => isRunBy(other, cluster, tag), 'the session is at the other server')
        await draining.undrain(drained)
      }
    } finally {
      await draining.close()
    }
    const says = (participant: Participant, text: string) =>
      waitFor(
        () =>
          participant.say(text).then(
            () => true,
            () => false,
          ),
        text,
      )
    await says(first, 'one')
    await says(second, 'two')
    expect(new Set([first, second].flatMap(({ sessions }) => sessions)).size).toBe(1)
  })

  it('LEASE-6 RELAY-8 move the session to the other server when its owner stops, and back', async () => {
    const { a, b } = servers()
    const [anna, ben] = [await addPerson('anna'), await addPerson('ben')]
    const tag = await createConference(anna)
    const first = join(a, anna, tag)
    await first.joined(1)
    const second = join(b, ben, tag)
    await second.joined(1)
    await second.say('before')

    await a.stop()
    await second.joined(2)
    await second.say('between')
    await a.start()
    await first.joined(2)
    await first.say('after')
    await expect.poll(() => second.texts, { timeout: TEXT_ORDER_MS }).toEqual(['before', 'between', 'after'])
    expect(new Set([...first.sessions, ...second.sessions]).size).toBe(1)
    // A busy machine may be too slow for the database.
    const errors = b
      .log()
      .split('\n')
      .filter(line => line.includes('"level":"error"'))
    expect(errors.filter(line => !line.includes('DATABASE_UNAVAILABLE'))).toEqual([])
  })
})
