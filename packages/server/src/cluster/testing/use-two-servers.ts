import { afterAll, afterEach, beforeAll } from 'vitest'
import { type ClusterServer, startTestCluster, type TestCluster } from '../../testing/cluster.ts'
import { ClusterParticipant } from '../../testing/cluster-participant.ts'

/** The cluster of the servers `a` and `b` for the tests of a file. Registers the hooks that end it and its participants. */
export function useTwoServers(place: Parameters<typeof startTestCluster>[2] = {}) {
  let cluster: TestCluster
  let [a, b] = [] as unknown as [ClusterServer, ClusterServer]
  let count = 0
  const participants: ClusterParticipant[] = []

  beforeAll(async () => {
    cluster = await startTestCluster(['a', 'b'], {}, place)
    ;[a, b] = cluster.servers as [ClusterServer, ClusterServer]
  })
  afterEach(() => {
    for (const { client } of participants.splice(0)) client.close()
  })
  afterAll(() => cluster?.close())

  return {
    servers: () => ({ cluster, a, b }),
    /** The access token of a new account. */
    addPerson: async (name: string): Promise<string> => {
      const { login, password } = await cluster.addUser(`${name}${++count}`)
      const { body } = await b.call('POST', '/api/v1.0/auth/login', { body: { login, password } })
      return String(body.access_token)
    },
    /** Creates a conference and returns its tag. */
    createConference: async (token: string): Promise<string> => {
      const { body } = await b.call('POST', '/api/v1.0/conferences', { token, body: { title: 'Round' } })
      return String(body.tag)
    },
    /** Until the end of the test. */
    join: (server: ClusterServer, token: string, tag: string, hint = true): ClusterParticipant => {
      const participant = new ClusterParticipant(server, token, tag, hint)
      participants.push(participant)
      return participant
    },
  }
}
