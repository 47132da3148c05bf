import {
  type ConnectionState,
  ControlClient,
  ControlFailure,
  platformEnvironment,
  type SessionView,
} from '@lectern/control-client'
import type { LoginResponse } from '@lectern/protocol'
import type { ChatMessage, CommandData } from '@lectern/protocol/control/client'
import { afterAll, afterEach } from 'vitest'
import { WebSocket } from 'ws'
import { tokenOf } from './links.ts'
import { waitFor } from './wait.ts'

export type Account = Pick<LoginResponse, 'access_token' | 'refresh_token'> & {
  user_id: number
  login: string
}

interface MemberOptions {
  /** The address of the server, or of a proxy in front of it. */
  url: string
  tag: string
  account: Account
  /** A signed link; absent: the plain room link. */
  link?: string
  /** Default: the name in the link, else that of the account. */
  name?: string
  silenceMs?: number
  /** Called with the text of every received frame. */
  onFrame?: (text: string) => void
}

type JoinResult = CommandData<'conference.join'>
type SessionCommand = 'chat.set_mode' | 'participant.update' | 'participant.remove' | 'participant.readmit'

/** Longer than any outage of these tests. */
const TTL_MS = 90_000

export const becomeGuest = async (url: string, display_name = 'Guest') =>
  post(`${url}/api/v1.0/auth/guest`, { display_name })

/** Signs in to the account of a personal link. */
export const signInByLink = (link: string) => post(link.replace('/j/', '/api/v1/integration/join/'), {})

export async function signOut(url: string, { refresh_token }: Account): Promise<void> {
  await post(`${url}/api/v1.0/auth/logout`, { refresh_token })
}

/** Creates members, who leave after each test, or after all tests of the file. */
export function useMembers({ keepsMembers = false } = {}): (entry: MemberOptions) => Member {
  const members: Member[] = []
  const after = keepsMembers ? afterAll : afterEach
  after(() => {
    for (const member of members.splice(0)) member.leave()
  })
  return entry => {
    const member = new Member(entry)
    members.push(member)
    return member
  }
}

/** A participant without a browser: a control client that joins whenever its connection is new to the server. */
export class Member {
  readonly client: ControlClient
  /** The results of all joins, oldest first. */
  readonly joins: (JoinResult | ControlFailure)[] = []
  readonly #tag: string
  readonly #body: { display_name?: string }
  #socket: WebSocket | null = null

  constructor({ url, tag, account, link, name, silenceMs, onFrame }: MemberOptions) {
    this.#tag = tag
    this.#body = name === undefined ? {} : { display_name: name }
    const setSocket = (socket: WebSocket) => {
      this.#socket = socket
    }
    class CapturedWebSocket extends WebSocket {
      constructor(url: string, protocols: string[]) {
        super(url, protocols)
        setSocket(this)
        if (onFrame) this.on('message', data => onFrame(String(data)))
      }
    }
    this.client = new ControlClient(platformEnvironment(CapturedWebSocket), {
      url: `${url.replace('http', 'ws')}/api/v1.0/control`,
      accessToken: async waitForRefusal => (waitForRefusal ? null : account.access_token),
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

  /** The result of the last join; throws when it was rejected. */
  get membership(): JoinResult {
    const last = this.joins.at(-1)
    if (!last || last instanceof Error) throw last ?? new Error('The member has not joined yet.')
    return last
  }

  get id(): string {
    return this.membership.participant_id
  }

  get session(): string {
    return this.membership.conference_session_id
  }

  /** The binding generation of the connection, 0 while it is not ready. */
  get incarnation(): number {
    return this.state.is === 'ready' ? Number(this.state.binding.binding_generation) : 0
  }

  /** The client's view of the session; null before the first snapshot. */
  get view(): SessionView | null {
    return this.client.session(this.session).get()
  }

  /** Whether the member is connected, has joined and has the state of the session. */
  get hasJoined(): boolean {
    const last = this.joins.at(-1)
    return this.state.is === 'ready' && !!last && !(last instanceof Error) && this.view?.ended === null
  }

  async join(): Promise<void> {
    const target = { kind: 'conference', id: this.#tag } as const
    const result = this.client.command('conference.join', target, this.#body, { ttlMs: TTL_MS })
    this.joins.push(await result.catch((failure: ControlFailure) => failure))
  }

  /** Waits in the lobby, after a refused join. */
  async enterLobby(): Promise<void> {
    await this.refused()
    await this.client.command('lobby.enter', { kind: 'conference', id: this.#tag }, this.#body)
  }

  /** Joins after the admission. */
  async joinAdmitted(): Promise<this> {
    await waitFor(async () => {
      await this.join()
      return !(this.joins.at(-1) instanceof Error)
    }, 'the member is admitted')
    return this.waitForJoin()
  }

  /** Waits for the n-th join, by default the first one. */
  async waitForJoin(join = 1): Promise<this> {
    await waitFor(
      () => {
        if (this.joins.length >= join) void this.membership // throws when rejected
        return this.joins.length >= join && this.hasJoined
      },
      `join ${join} succeeds; the state is ${JSON.stringify(this.state)}`,
    )
    return this
  }

  /** Waits for the n-th join; returns the reason of its rejection. */
  async refused(join = 1): Promise<string | undefined> {
    await waitFor(() => this.joins.length >= join, 'the join has a result')
    const last = this.joins.at(-1)
    return last instanceof ControlFailure ? (last.reason ?? last.code) : undefined
  }

  async waitForView(description: string, matches: (view: SessionView) => unknown): Promise<SessionView> {
    return waitFor(() => (this.view && matches(this.view) ? this.view : null), description)
  }

  /** Waits for the final end of the connection; returns its reason. */
  async waitForEnd() {
    const state = await waitFor(() => (this.state.is === 'ended' ? this.state : null), 'the connection ends')
    return state.reason
  }

  sendChat = (text: string) =>
    this.client.command('chat.send', this.#sessionTarget, { text }, { ttlMs: TTL_MS })

  lock = (locked: boolean) =>
    this.client.command('conference.set_lock', { kind: 'conference', id: this.#tag }, { locked })

  end = () => this.client.command('conference.end', { kind: 'conference', id: this.#tag }, {})

  async command<N extends SessionCommand>(
    name: N,
    body: Parameters<typeof this.client.command<N>>[2],
  ): Promise<void> {
    await this.client.command(name, this.#sessionTarget, body)
  }

  /** All chat messages of the session, oldest first. */
  async history(): Promise<ChatMessage[]> {
    const messages: ChatMessage[] = []
    for (;;) {
      const before = messages[0] && { before: messages[0].message_id }
      const page = await this.client.command('chat.history', this.#sessionTarget, { limit: 50, ...before })
      messages.unshift(...page.messages)
      if (!page.has_older) return messages
    }
  }

  /** Leaves by closing the client. */
  leave = () => this.client.close()

  /** Leaves as a closed page does: the socket closes with 1001. */
  leavePage(): void {
    this.#socket?.close(1001)
    this.client.close()
  }

  get #sessionTarget() {
    return { kind: 'conference_session', id: this.session } as const
  }
}

async function post(url: string, body: object): Promise<Account> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const result = (await response.json()) as Account & { user?: Account }
  if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(result)}`)
  return { ...result, ...result.user }
}
