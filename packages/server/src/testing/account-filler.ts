import { conferenceChat } from '@lectern/protocol/control'
import type Database from 'better-sqlite3'

type Sqlite = InstanceType<typeof Database>

interface Messages {
  chatId: string
  senderId: number
  count: number
  /** The text of the message with this number, from 1 on. */
  text: (number: number) => string
  /** When the first one was sent; the others follow by seconds. */
  sentAtMs: number
}

/** Writes what accounts gather over years straight into the SQLite file of a service. */
export class AccountFiller {
  readonly #database: Sqlite

  constructor(database: Sqlite) {
    this.#database = database
  }

  /** All or nothing, and a thousand times faster than alone. */
  inOneTransaction(work: () => void): void {
    this.#database.transaction(work)()
  }

  /** Returns the id of a new account, which has the password of another one or none. */
  addUser(login: string, name: string, passwordHash: string | null = null): number {
    const added = this.#prepare(
      `INSERT INTO users (login, display_name, kind, password_hash, capabilities, created_at)
        VALUES (?, ?, 'ordinary', ?, '[]', 0) RETURNING id`,
    ).get(login, name, passwordHash)
    return (added as { id: number }).id
  }

  /** Two accounts that are contacts of each other. */
  addContacts(userId: number, otherId: number): void {
    const add = this.#prepare(
      "INSERT INTO contacts (user_id, contact_id, state, sent) VALUES (?, ?, 'contact', 0)",
    )
    add.run(userId, otherId)
    add.run(otherId, userId)
  }

  addConference(tag: string, title: string, ownerId: number): void {
    this.#prepare(
      `INSERT INTO conferences (tag, title, owner_id, created_at_ms, removed, entry)
        VALUES (?, ?, ?, 1, 0, 'open')`,
    ).run(tag, title, ownerId)
  }

  /** A member who has read nothing. */
  addMember(chatId: string, userId: number, otherId: number | null = null): void {
    this.#prepare(
      'INSERT INTO conversation_members (chat_id, user_id, other_id, read_id) VALUES (?, ?, ?, 0)',
    ).run(chatId, userId, otherId)
  }

  /** The first messages of a conversation. */
  addConversation(tag: string | null, messages: Messages): void {
    const lastId = this.#addMessages(messages)
    this.#prepare('INSERT INTO conversations (chat_id, tag, last_message_id) VALUES (?, ?, ?)').run(
      messages.chatId,
      tag,
      lastId,
    )
  }

  /** A conference of the member with messages that nobody has read. */
  addMeeting(tag: string, title: string, memberId: number, messages: Omit<Messages, 'chatId'>): void {
    const chatId = conferenceChat(tag)
    this.addConference(tag, title, memberId)
    this.addMember(chatId, memberId)
    this.addConversation(tag, { ...messages, chatId })
  }

  #addMessages({ chatId, senderId, count, text, sentAtMs }: Messages): number {
    const add = this.#prepare(
      `INSERT INTO chat_messages (chat_id, user_id, command_id, display_name, text, sent_at_ms)
        VALUES (?, ?, ?, 'Sender', ?, ?) RETURNING id`,
    )
    let lastId = 0
    for (let i = 1; i <= count; i++) {
      const added = add.get(chatId, senderId, `filled-${chatId}-${i}`, text(i), sentAtMs + i * 1000)
      lastId = (added as { id: number }).id
    }
    return lastId
  }

  readonly #statements = new Map<string, ReturnType<Sqlite['prepare']>>()

  #prepare(sql: string) {
    const known = this.#statements.get(sql) ?? this.#database.prepare(sql)
    this.#statements.set(sql, known)
    return known
  }
}
