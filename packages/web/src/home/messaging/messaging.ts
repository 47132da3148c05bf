import type { CommandBody } from '@lectern/protocol/control/client'
import type { AccountConnection } from '../../account-connection/account-connection.ts'
import { Attachments } from '../../chat/files/attachments.ts'
import { Outbox } from '../../chat/outbox.ts'
import { StoredValue } from '../../stored-value.ts'
import type { FileAccess } from '../../uploads/files.ts'
import { ConversationList } from './conversation-list.ts'
import { Drafts } from './drafts.ts'

/** After this time an unsent message is shown as failed. */
const SEND_TTL_MS = 120_000

/** The state that outlives the pages of the conversations, as long as the account stays signed in. */
export class Messaging {
  readonly list: ConversationList
  readonly drafts: Drafts
  readonly #connection: AccountConnection
  readonly #outboxes = new Map<string, Outbox>()
  readonly #attachments = new Map<string, Attachments>()

  private constructor(connection: AccountConnection) {
    this.#connection = connection
    this.list = new ConversationList(connection)
    this.drafts = new Drafts(new StoredValue(`lectern.drafts.${connection.userId}`, () => sessionStorage))
  }

  /** Files that are being uploaded to a conversation, whichever page is shown. */
  readonly attachments = (chatId: string): Attachments => {
    const attachments = this.#attachments.get(chatId) ?? new Attachments(this.files(chatId))
    this.#attachments.set(chatId, attachments)
    return attachments
  }

  readonly files = (chatId: string): FileAccess => ({
    conference: null,
    chatId,
    accessToken: this.#connection.accessToken,
    serverUrl: '',
  })

  /** Own messages of a conversation that are on their way, whichever page is shown. */
  readonly outbox = (chatId: string): Outbox => {
    const outbox =
      this.#outboxes.get(chatId) ?? new Outbox((...message) => this.#transmit(chatId, ...message))
    this.#outboxes.set(chatId, outbox)
    return outbox
  }

  #transmit(chatId: string, body: CommandBody<'message.send'>, commandId: string): Promise<unknown> {
    // A rate-limited message fails at once: if it waited, later messages could overtake it.
    const options = { commandId, ttlMs: SEND_TTL_MS, whenRateLimited: 'fail' } as const
    return this.#connection.command('message.send', { kind: 'chat', id: chatId }, body, options)
  }

  static readonly #all = new WeakMap<AccountConnection, Messaging>()

  static of(connection: AccountConnection): Messaging {
    const messaging = Messaging.#all.get(connection) ?? new Messaging(connection)
    Messaging.#all.set(connection, messaging)
    return messaging
  }
}
