import { ensure, Refusal } from '@lectern/protocol'
import {
  CHAT_PAGE_BYTES,
  type CommandBody,
  type CommandData,
  EDITABLE_MS,
  PAGE_MAX,
  parseChatId,
  UNREAD_MAX,
  utf8Length,
} from '@lectern/protocol/control'
import { isUser } from '../accounts/eligible.ts'
import type { User } from '../accounts/ports.ts'
import type { UserStore } from '../accounts/stores/users.ts'
import type { Clock } from '../platform/clock.ts'
import type { RateLimiter } from '../platform/rate-limiter.ts'
import { isMessageOf, isWritten } from '../sessions/chat.ts'
import { assertInTime } from '../sessions/command.ts'
import { maySendFiles, mayWrite } from '../sessions/policy.ts'
import type { ChatFiles, ChatLimiter, StoredMessage, StoredState } from '../sessions/ports.ts'
import { presentMessage } from '../sessions/present.ts'
import { chatOf, messageIdOf, otherOf } from './chats.ts'
import type { MessagePublisher } from './message-publisher.ts'
import type { MessageWriter } from './message-writer.ts'
import type { Chat } from './ports.ts'
import { decideEdit } from './relations.ts'
import type { ContactStore } from './stores/contacts.ts'
import type { ConversationStore } from './stores/conversations.ts'
import type { MessageStore } from './stores/messages.ts'

interface MessagesOptions {
  store: MessageStore
  conversations: Pick<ConversationStore, 'findMembership' | 'find'>
  writer: MessageWriter
  publisher: MessagePublisher
  users: Pick<UserStore, 'find'>
  contacts: Pick<ContactStore, 'isContact' | 'isContactOrAsks' | 'change'>
  findConference: (tag: string) => Promise<{ ownerId: number } | null>
  /** The open session of a conference, whose rules bind messages from outside, too. */
  findSession: (tag: string) => Promise<StoredState | null>
  limiter: ChatLimiter
  files: ChatFiles
  requests: RateLimiter<number>
  /** Whether the account may find the other one by the id, which the id of a direct conversation contains. */
  mayFindById: (userId: number, otherId: number) => Promise<boolean>
  /** A person who was invited to a conference writes there, and so agrees to be a member. */
  onJoined: (tag: string, userId: number) => Promise<void>
  onRead: (userId: number, chatId: string) => void
  onRelationsChanged: (userId: number, otherId: number) => void
  clock: Clock
}

/** The sender of a command. `isInside`: participant of the session of the conference, also as a guest. */
export interface Sender {
  user: User
  isInside: boolean
}

/** Messages of conversations: written, changed, read (rules MSG-1 to MSG-18). */
export class Messages {
  readonly #parts: MessagesOptions

  constructor(parts: MessagesOptions) {
    this.#parts = parts
  }

  /** Stored once for each command id. A refused repetition of a message that is stored gives its result. */
  async send(
    { user }: Sender,
    chat: Chat,
    commandId: string,
    body: CommandBody<'message.send'>,
    startBy?: number,
  ): Promise<{ data: CommandData<'message.send'>; receivers: number }> {
    const key = { chatId: chat.id, userId: user.id, commandId }
    try {
      assertInTime(this.#parts, startBy)
      ensure(isUser(user), 'accounts_only')
      if (body.file_id !== undefined) await this.assertMaySendFile(user, chat.id)
      const isRequest = await this.#assertMayWrite(user, chat, body)
      if (isRequest) this.#parts.requests.enforce(user.id)
      const { message, receivers = 0 } = await this.#append(user, chat, commandId, body)
      return { data: resultOf(message, body), receivers }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const stored = await this.#parts.store.find(key)
      if (!stored) throw error
      return { data: resultOf(stored, body), receivers: 0 }
    }
  }

  /**
   * Asserts the right to send a file: in conferences whoever may write there, unless a session forbids files; to people
   * only contacts. Throws the refusal of the message itself.
   */
  async assertMaySendFile(user: User, chatId: string): Promise<void> {
    ensure(isUser(user), 'accounts_only')
    const chat = chatOf(chatId, user.id)
    if (chat.kind === 'direct') {
      const isContact = await this.#parts.contacts.isContact(user.id, otherOf(chat, user.id))
      return ensure(isContact, 'files_not_permitted', 'Files can be sent to contacts only.')
    }
    const isModerator = await this.#assertMayWriteTo(user, chat.tag, false)
    const session = await this.#parts.findSession(chat.tag)
    ensure(isModerator || !session || maySendFiles(session, user.id), 'files_not_permitted')
  }

  /** Whether the account may read the conversation with this id. */
  async mayRead(user: User, chatId: string): Promise<boolean> {
    const chat = parseChatId(chatId)
    if (chat?.kind === 'direct') return chat.userIds.includes(user.id)
    return chat !== null && (await this.#parts.conversations.findMembership(chat.tag, user.id)) !== null
  }

  async #append(
    user: User,
    chat: Chat,
    commandId: string,
    { text = '', file_id }: CommandBody<'message.send'>,
  ) {
    const { writer, files, clock, onRelationsChanged } = this.#parts
    const { id: userId, displayName } = user
    const key = { chatId: chat.id, userId, commandId }
    const file = file_id === undefined ? undefined : await files.claim(file_id, key)
    ensure(file !== null, 'no_such_file')
    const message = { ...key, displayName, text, sentAtMs: clock(), ...(file && { file }) }
    const result = await writer.append({ chat, message })
    if (result.is === 'refused') throw new Refusal(result.code)
    if (result.contactsChanged && chat.kind === 'direct') onRelationsChanged(userId, otherOf(chat, userId))
    return result
  }

  async edit(
    sender: Sender,
    chat: Chat,
    { message_id, text }: CommandBody<'message.edit'>,
  ): Promise<{ data: CommandData<'message.edit'>; receivers: number }> {
    const before = await this.#findOwn(sender, chat, message_id)
    ensure(!before.isDeleted, 'no_such_message')
    const edited = { text, ...(before.file && { file_id: before.file.file_id }) }
    ensure(isWritten(edited), 'blank')
    if (before.text === text) return { data: { message: presentMessage(before) }, receivers: 0 }
    await this.#assertMayWrite(sender.user, chat, edited, sender.isInside)
    const { store, contacts, clock } = this.#parts
    if (chat.kind === 'direct') {
      const refusal = await contacts.change(sender.user.id, otherOf(chat, sender.user.id), decideEdit)
      if (refusal) throw new Refusal(refusal)
    }
    return this.#published(chat, await store.edit(chat.id, before.messageId, text, clock()))
  }

  /** Leaves the place of the message without its text and file. */
  async delete(
    sender: Sender,
    chat: Chat,
    { message_id }: CommandBody<'message.delete'>,
  ): Promise<{ data: CommandData<'message.delete'>; receivers: number }> {
    const before = await this.#findDeletable(sender, chat, message_id)
    if (before.isDeleted) return { data: { message: presentMessage(before) }, receivers: 0 }
    this.#assertWithinRates(sender.user, chat, false, '')
    const { store, files, clock } = this.#parts
    const result = await this.#published(chat, await store.delete(chat.id, before.messageId, clock()))
    if (before.file) await files.remove(before.file.file_id)
    return result
  }

  async #published(chat: Chat, message: StoredMessage | null) {
    ensure(message, 'no_such_message')
    const receivers = await this.#parts.publisher.changed(chat, message)
    return { data: { message: presentMessage(message) }, receivers }
  }

  async list(
    sender: Sender,
    chat: Chat,
    { before, after, limit = PAGE_MAX }: CommandBody<'message.list'>,
  ): Promise<CommandData<'message.list'>> {
    ensure(
      before === undefined || after === undefined,
      'invalid_command',
      'before and after exclude each other.',
    )
    await this.#assertMayRead(sender, chat)
    const newest = before === undefined ? null : { before: messageIdOf(before) }
    const from = after === undefined ? newest : { after: after === '0' ? 0 : messageIdOf(after) }
    const page = await this.#parts.store.page(chat.id, from, { limit, bytes: CHAT_PAGE_BYTES })
    return { messages: page.messages.map(presentMessage), has_more: page.hasMore }
  }

  /** The position of the account moves forward only. */
  async read(
    sender: Sender,
    chat: Chat,
    { message_id }: CommandBody<'message.read'>,
  ): Promise<CommandData<'message.read'>> {
    const { store, conversations, onRead } = this.#parts
    const { id: userId } = sender.user
    await this.#assertMayRead(sender, chat)
    const message = await store.get(chat.id, messageIdOf(message_id))
    ensure(message, 'no_such_message')
    if (await store.read(chat.id, userId, message.messageId)) onRead(userId, chat.id)
    const [conversation] = await conversations.find(userId, [chat.id])
    const { unread, readId } = conversation ?? { unread: 0, readId: 0 }
    return { unread: Math.min(unread, UNREAD_MAX), read_up_to: readId === 0 ? null : String(readId) }
  }

  /** Returns whether the message asks somebody to become a contact, of which there is a limit (rule MSG-27). */
  async #assertMayWrite(
    user: User,
    chat: Chat,
    body: CommandBody<'message.send'>,
    isInside = false,
  ): Promise<boolean> {
    ensure(isWritten(body), 'blank')
    let [isModerator, isRequest] = [false, false]
    if (chat.kind === 'conference') isModerator = await this.#assertMayWriteTo(user, chat.tag, isInside)
    else isRequest = await this.#isRequestTo(otherOf(chat, user.id), user)
    this.#assertWithinRates(user, chat, isModerator, body.text ?? '')
    return isRequest
  }

  /** Whether the account moderates the conference. */
  async #assertMayWriteTo(user: User, tag: string, isInside: boolean): Promise<boolean> {
    const { findConference, findSession, conversations, onJoined } = this.#parts
    const conference = await findConference(tag)
    ensure(conference, 'no_such_conversation')
    const membership = await conversations.findMembership(tag, user.id)
    ensure(isInside || membership, 'not_a_member')
    const isModerator = conference.ownerId === user.id
    const session = await findSession(tag)
    ensure(!session?.removed.some(({ userId }) => userId === user.id), 'removed')
    ensure(!session || isModerator || mayWrite(session, user.id), 'read_only')
    if (membership === 'invited') await onJoined(tag, user.id)
    return isModerator
  }

  /** Whether a message to that person is a request. Throws `not_reachable`. */
  async #isRequestTo(otherId: number, { id: userId }: User): Promise<boolean> {
    const { users, contacts, mayFindById } = this.#parts
    const other = otherId === userId ? null : await users.find(otherId)
    ensure(other && other.deletedAt === null && isUser(other), 'not_reachable')
    if (await contacts.isContactOrAsks(userId, otherId)) return false
    ensure(await mayFindById(userId, otherId), 'not_reachable')
    return true
  }

  async #assertMayRead({ user, isInside }: Sender, chat: Chat): Promise<void> {
    if (chat.kind === 'direct') return ensure(isUser(user), 'accounts_only')
    ensure(await this.#parts.findConference(chat.tag), 'no_such_conversation')
    ensure(isInside || (await this.#parts.conversations.findMembership(chat.tag, user.id)), 'not_a_member')
  }

  /** An own message; any, for the owner of the conference. */
  async #findDeletable(sender: Sender, chat: Chat, messageId: string): Promise<StoredMessage> {
    const conference = chat.kind === 'conference' ? await this.#parts.findConference(chat.tag) : null
    if (conference?.ownerId !== sender.user.id) return this.#findOwn(sender, chat, messageId)
    const message = await this.#parts.store.get(chat.id, messageIdOf(messageId))
    ensure(message, 'no_such_message')
    return message
  }

  async #findOwn(sender: Sender, chat: Chat, messageId: string): Promise<StoredMessage> {
    await this.#assertMayRead(sender, chat)
    const message = await this.#parts.store.get(chat.id, messageIdOf(messageId))
    ensure(message, 'no_such_message')
    ensure(message.userId === sender.user.id, 'not_your_message')
    ensure(this.#parts.clock() - message.sentAtMs < EDITABLE_MS, 'too_old')
    return message
  }

  #assertWithinRates({ id: userId }: User, chat: Chat, isModerator: boolean, text: string): void {
    const bytes = utf8Length(JSON.stringify(text)) // as it is sent to everybody
    const refusal = this.#parts.limiter.take({ userId, chatId: chat.id, isModerator, bytes })
    if (refusal) throw new Refusal(refusal.reason, undefined, { retryAfterMs: refusal.waitMs })
  }
}

function resultOf(stored: StoredMessage, body: CommandBody<'message.send'>): CommandData<'message.send'> {
  ensure(isMessageOf(stored, body), 'other_message')
  return { message_id: String(stored.messageId), sent_at_ms: stored.sentAtMs }
}
