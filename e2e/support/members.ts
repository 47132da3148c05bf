import {
  type ConnectionState,
  ControlClient,
  ControlFailure,
  platformEnvironment,
  type SessionView,
} from '@lectern/control-client'
import type { LoginResponse } from '@lectern/protocol'
import type { ChatMessage, CommandData } from '@lectern/protocol/control/client'
import { afterEach } from 'vitest'
import { WebSocket } from 'ws'
import { tokenOf } from './links.ts'
import { waitFor } from './wait.ts'

export type Account = Pick<LoginResponse, 'access_token' | 'refresh_token'> & {
  user_id: number
  login: string
}

interface Entry {
  /** Where the server is, or the proxy before it. */
  url: string
  tag: string
  account: Account
  /** A signed link; without one, the member comes through the plain link. */
  link?: string
  silenceMs?: number
}

type Joined = CommandData<'conference.join'>
type OfSession = 'chat.set_mode' | 'participant.update' | 'participant.remove' | 'participant.readmit'

/** Long enough to outlive every loss of these tests. */
const TTL_MS = 90_000

export const becomeGuest = async (url: string, display_name = 'Guest') =>
  post(`${url}/api/v1.0/auth/guest`, { display_name })

/** The account that a personal link belongs to. */
export const signInByLink = (link: string) => post(link.replace('/j/', '/api/v1/integration/join/'), {})

export async function signOut(url: string, { refresh_token }: Account): Promise<void> {
  await post(`${url}/api/v1.0/auth/logout`, { refresh_token })
}

/** Lets members in; whoever is still there leaves after each test. */
export function useMembers(): (entry: Entry) => Member {
  const members: Member[] = []
  afterEach(() => {
    for (const member of members.splice(0)) member.leave()
  })
  return entry => {
    const member = new Member(entry)
    members.push(member)
    return member
  }
}

/** Somebody in a room: an account, a link, and a client that joins whenever its connection is new. */
export class Member {
  readonly client: ControlClient
  /** The answers to each join, oldest first. */
  readonly joins: (Joined | ControlFailure)[] = []
  readonly #tag: string
  #socket: WebSocket | null = null

  constructor({ url, tag, account, link, silenceMs }: Entry) {
    this.#tag = tag
    const watch = (socket: WebSocket) => {
      this.#socket = socket
    }
    class WatchedWebSocket extends WebSocket {
      constructor(url: string, protocols: string[]) {
        super(url, protocols)
        watch(this)
      }
    }
    this.client = new ControlClient(platformEnvironment(WatchedWebSocket), {
      url: `${url.replace('http', 'ws')}/api/v1.0/control`,
      accessToken: async refused => (refused ? null : account.access_token),
      client: { name: 'e2e', version: '1', platform: 'node' },
      ...(link && { joinToken: tokenOf(link) }),
      ...(silenceMs && { silenceMs }),
    })
    this.client.onStart(() => void this.join())
    this.client.open()
  }

  get state(): ConnectionState {
    return this.client.state.get()
  }

  /** The place in the conference; throws when the last join was refused. */
  get place(): Joined {
    const last = this.joins.at(-1)
    if (!last || last instanceof Error) throw last ?? new Error('Nobody has joined yet.')
    return last
  }

  get id(): string {
    return this.place.participant_id
  }

  get session(): string {
    return this.place.conference_session_id
  }

  /** How often the server has taken the connection up. */
  get lives(): number {
    return this.state.is === 'ready' ? Number(this.state.binding.binding_generation) : 0
  }

  /** What the client shows of the session, once there is something. */
  get view(): SessionView | null {
    return this.client.session(this.session).get()
  }

  /** In the conference, connected, with the state of the session. */
  get isInside(): boolean {
    const last = this.joins.at(-1)
    return this.state.is === 'ready' && !!last && !(last instanceof Error) && this.view?.ended === null
  }

  async join(): Promise<void> {
    const target = { kind: 'conference', id: this.#tag } as const
    const answer = this.client.command('conference.join', target, {}, { ttlMs: TTL_MS })
    this.joins.push(await answer.catch((failure: ControlFailure) => failure))
  }

  /** Waits for the answer to the given join: the first one, unless told otherwise. */
  async inside(join = 1): Promise<this> {
    await waitFor(
      () => {
        if (this.joins.length >= join) void this.place // throws when refused
        return this.joins.length >= join && this.isInside
      },
      `somebody is inside by join ${join}; now ${JSON.stringify(this.state)}`,
    )
    return this
  }

  /** Why the last join was refused. */
  async refused(join = 1): Promise<string | undefined> {
    await waitFor(() => this.joins.length >= join, 'the join is answered')
    const last = this.joins.at(-1)
    return last instanceof ControlFailure ? (last.reason ?? last.code) : undefined
  }

  async sees(what: string, look: (view: SessionView) => unknown): Promise<SessionView> {
    return waitFor(() => (this.view && look(this.view) ? this.view : null), what)
  }

  /** How the connection ended for good. */
  async ended() {
    const state = await waitFor(() => (this.state.is === 'ended' ? this.state : null), 'the connection ends')
    return state.reason
  }

  say = (text: string) => this.client.command('chat.send', this.#ofSession, { text }, { ttlMs: TTL_MS })

  lock = (locked: boolean) =>
    this.client.command('conference.set_lock', { kind: 'conference', id: this.#tag }, { locked })

  end = () => this.client.command('conference.end', { kind: 'conference', id: this.#tag }, {})

  async do<N extends OfSession>(name: N, body: Parameters<typeof this.client.command<N>>[2]): Promise<void> {
    await this.client.command(name, this.#ofSession, body)
  }

  /** Every message of the session, oldest first. */
  async history(): Promise<ChatMessage[]> {
    const messages: ChatMessage[] = []
    for (;;) {
      const before = messages[0] && { before: messages[0].message_id }
      const page = await this.client.command('chat.history', this.#ofSession, { limit: 50, ...before })
      messages.unshift(...page.messages)
      if (!page.has_older) return messages
    }
  }

  /** As a program ends: with a goodbye. */
  leave = () => this.client.close()

  /** As a browser closes a page: the socket says 1001, and the client is not asked. */
  leavePage(): void {
    this.#socket?.close(1001)
    this.client.close()
  }

  get #ofSession() {
    return { kind: 'conference_session', id: this.session } as const
  }
}

async function post(url: string, body: object): Promise<Account> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as Account & { user?: Account }
  if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(answer)}`)
  return { ...answer, ...answer.user }
}
