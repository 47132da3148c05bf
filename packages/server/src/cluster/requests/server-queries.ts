import type { Member, Members } from '../members/members.ts'
import type { ClusterNetwork } from '../network/network.ts'

/** The answer of a server; null: it did not answer, or does not know the query. */
export interface ServerAnswer<T> {
  server: Member
  answer: T | null
}

/** Questions to all other servers, for what only they know. */
export interface ServerQueries {
  /** Answers the query when another server asks it. */
  serve<Request>(name: string, handler: (request: Request) => unknown): void
  askOthers<T>(name: string, request: unknown): Promise<ServerAnswer<T>[]>
}

/** People wait for the answers. */
const TIMEOUT_MS = 2_000

/** Queries over NATS. A server that fails, or does not answer in time, has the answer null. */
export class NetworkQueries implements ServerQueries {
  readonly #network: ClusterNetwork
  readonly #members: Members
  readonly #self: string

  constructor(network: ClusterNetwork, members: Members, self: string) {
    this.#network = network
    this.#members = members
    this.#self = self
  }

  serve<Request>(name: string, handler: (request: Request) => unknown): void {
    this.#network.serve(subjectOf(this.#self, name), request => handler(request as Request))
  }

  async askOthers<T>(name: string, request: unknown): Promise<ServerAnswer<T>[]> {
    const others = this.#members.list('server').filter(({ id }) => id !== this.#self)
    return Promise.all(
      others.map(async server => {
        const answer = this.#network.request(subjectOf(server.id, name), request, TIMEOUT_MS)
        return { server, answer: (await answer.catch(() => null)) as T | null }
      }),
    )
  }
}

const subjectOf = (id: string, name: string) => `server.${id}.get.${name}`
