import { ControlClient, platformEnvironment } from '@lectern/control-client'
import type { ChatMessage } from '@lectern/protocol/control/client'
import { WebSocket } from 'ws'
import type { Account } from './accounts.ts'

/** Longer than any outage that is not an error. */
const TTL_MS = 60_000
const JOINED_WITHIN_MS = 60_000
const HISTORY_PAGE = 100

interface MemberOptions {
  url: string
  account: Account
  tag: string
  /** Of a signed link; absent: the plain room link. */
  joinToken?: string
}

/** A control client whose connection can be cut, as by a network. */
export class SoakClient {
  readonly client: ControlClient
  #socket: WebSocket | null = null

  constructor(url: string, account: Account, joinToken?: string) {
    const setSocket = (socket: WebSocket) => {
      this.#socket = socket
    }
    class CutWebSocket extends WebSocket {
      constructor(address: string, protocols: string[]) {
        super(address, protocols)
        setSocket(this)
      }
    }
    this.client = new ControlClient(platformEnvironment(CutWebSocket), {
      url: `${url.replace('http', 'ws')}/api/v1.0/control`,
      accessToken: async refusal => account.token(refusal !== undefined),
      client: { name: 'soak', version: '1', platform: 'node' },
      ...(joinToken !== undefined && { joinToken }),
    })
  }

  /** The connection is lost without a close; the client resumes on another one. */
  cut(): void {
    this.#socket?.terminate()
  }

  /** Resolves when the connection is ready. */
  async open(): Promise<void> {
    const { state } = this.client
    const ready = new Promise<void>((resolve, reject) => {
      const unsubscribe = state.subscribe(() => {
        const { is } = state.get()
        if (is !== 'ready' && is !== 'ended') return
        unsubscribe()
        if (is === 'ready') resolve()
        else reject(new Error('the connection was refused'))
      })
    })
    this.client.open()
    await ready
  }
}

/** A member of a lesson without media. Its client receives every chat message exactly once. */
export class ChatMember extends SoakClient {
  readonly #tag: string
  #session = ''
  /** How often the connection was new to the server after the first time. */
  rejoins = 0
  onMessage: (message: ChatMessage) => void = () => {}

  private constructor({ url, account, tag, joinToken }: MemberOptions) {
    super(url, account, joinToken)
    this.#tag = tag
  }

  /** Resolves when it has joined. */
  static async join(options: MemberOptions): Promise<ChatMember> {
    const member = new ChatMember(options)
    const { client } = member
    const joined = new Promise<void>((resolve, reject) => {
      client.onStart(() => {
        if (member.#session) member.rejoins += 1
        member.join().then(resolve, reject)
      })
      setTimeout(reject, JOINED_WITHIN_MS, new Error('a member has not joined in time')).unref()
    })
    client.onEvent(({ name, body }) => {
      if (name === 'chat.message') member.onMessage((body as { message: ChatMessage }).message)
    })
    await Promise.all([member.open(), joined])
    return member
  }

  get session(): string {
    return this.#session
  }

  send = (text: string) => this.client.command('chat.send', this.#target, { text }, { ttlMs: TTL_MS })

  raiseHand = (hand_raised: boolean) =>
    this.client.command('participant.update', this.#target, { hand_raised }, { ttlMs: TTL_MS })

  /** All messages of the session, newest first, page by page. */
  async *history(): AsyncGenerator<ChatMessage> {
    let before: string | undefined
    for (;;) {
      const body = { limit: HISTORY_PAGE, ...(before !== undefined && { before }) }
      const page = await this.client.command('chat.history', this.#target, body, { ttlMs: TTL_MS })
      yield* page.messages.toReversed()
      before = page.messages[0]?.message_id
      if (!page.has_older || before === undefined) return
    }
  }

  leave(): void {
    this.client.close()
  }

  /** Again after the server has given the membership up, because the connection was lost for too long. */
  async join(): Promise<void> {
    const target = { kind: 'conference', id: this.#tag } as const
    const { conference_session_id } = await this.client.command(
      'conference.join',
      target,
      {},
      { ttlMs: TTL_MS },
    )
    this.#session = conference_session_id
  }

  get #target() {
    return { kind: 'conference_session', id: this.#session } as const
  }
}
