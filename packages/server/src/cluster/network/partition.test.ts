import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ClusterServer, startTestCluster, type TestCluster } from '../../testing/cluster.ts'
import { ClusterParticipant } from '../../testing/cluster-participant.ts'
import { queryPostgres } from '../../testing/query.ts'
import { waitFor } from '../testing.ts'

const POLL_MS = 50
const PAUSE_MS = 100

let cluster: TestCluster
beforeAll(async () => {
  cluster = await startTestCluster(['a', 'b'])
})
afterAll(() => cluster?.close())

/** Sends numbered messages until the signal, each after the answer to the one before. */
function startAuthor(name: string, participant: ClusterParticipant, signal: AbortSignal) {
  const [acknowledged, attempted]: [string[], Set<string>] = [[], new Set()]
  const run = async () => {
    for (let i = 1; !signal.aborted; i++) {
      const text = `${name} ${i}`
      attempted.add(text)
      await participant.say(text).then(
        () => acknowledged.push(text),
        () => {}, // it may be stored or not
      )
      await sleep(PAUSE_MS)
    }
  }
  return { acknowledged, attempted, done: run() }
}

/** The owner of each incarnation of the only session, as the database has it; more than one is a defect. */
async function watchOwners(signal: AbortSignal): Promise<Map<number, Set<string>>> {
  const owners = new Map<number, Set<string>>()
  for (; !signal.aborted; await sleep(POLL_MS)) {
    const rows = await queryPostgres<{ incarnation: number; owner: string | null }>(
      cluster.dbUrl,
      'SELECT incarnation, owner FROM lectern.conference_sessions',
    )
    for (const { incarnation, owner } of rows)
      if (owner !== null) owners.set(incarnation, (owners.get(incarnation) ?? new Set()).add(owner))
  }
  return owners
}

it('a session whose owner is cut off from NATS, PostgreSQL and the other server has one owner at any time, and each message once', async () => {
  const [a, b] = cluster.servers as [ClusterServer, ClusterServer]
  const signIn = async (login: string) => {
    const body = await cluster.addUser(login)
    return (await a.call('POST', '/api/v1.0/auth/login', { body })).body.access_token as string
  }
  const [anna, ben] = [await signIn('anna'), await signIn('ben')]
  const { tag } = (await b.call('POST', '/api/v1.0/conferences', { token: anna, body: { title: 'Round' } }))
    .body
  const atOwner = new ClusterParticipant(b, ben, tag)
  await atOwner.joined(1)
  const elsewhere = new ClusterParticipant(a, anna, tag)
  await elsewhere.joined(1)
  const watching = new AbortController()
  const owners = watchOwners(watching.signal)
  const writing = new AbortController()
  const authors = [
    startAuthor('anna', elsewhere, writing.signal),
    startAuthor('ben', atOwner, writing.signal),
  ] as const
  const [annas, bens] = authors
  await waitFor(() => annas.acknowledged.length > 3 && bens.acknowledged.length > 3, 'both write')

  const paths = [b.nats, b.db, b.link, a.link]
  for (const path of paths) path.cut()
  await elsewhere.joined(2)
  const [written, refused] = [annas.acknowledged.length, bens.acknowledged.length]
  await waitFor(() => annas.acknowledged.length > written + 3, 'the session goes on at the other server')
  await waitFor(
    () => b.log().includes('its sessions stop here') || b.log().includes('they stop here'),
    'b stops',
  )
  expect(bens.acknowledged.length, 'b stores nothing').toBe(refused)
  expect((await b.call('GET', '/readyz')).status).toBe(503)

  for (const path of paths) path.mend()
  await atOwner.joined(2)
  await waitFor(() => bens.acknowledged.length > refused + 3, 'both write again')
  writing.abort()
  await Promise.all(authors.map(({ done }) => done))
  watching.abort()

  expect(new Set([...elsewhere.sessions, ...atOwner.sessions]).size).toBe(1)
  for (const [incarnation, servers] of await owners)
    expect(servers.size, `incarnation ${incarnation}`).toBe(1)
  const history = (await elsewhere.history()).slice().sort()
  expect(new Set(history).size).toBe(history.length)
  for (const { acknowledged, attempted } of authors) {
    const known = (text: string) => attempted.has(text)
    expect(history).toEqual(expect.arrayContaining(acknowledged))
    expect(new Set(elsewhere.texts.filter(known)).size).toBe(elsewhere.texts.filter(known).length)
  }
  expect(history.every(text => authors.some(({ attempted }) => attempted.has(text)))).toBe(true)
  elsewhere.client.close()
  atOwner.client.close()
})
