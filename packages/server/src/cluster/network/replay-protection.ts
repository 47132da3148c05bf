import { randomBytes } from 'node:crypto'

/** The answer of a member that was asked for its number. */
export interface SequenceReport {
  /** The nonce of the question. */
  nonce: string
  /** The number of its last message. */
  seq: number
  /** The numbers of its requests that are not answered yet. */
  pending: readonly number[]
}

/** A message that may be delivered now, later, or never. */
export interface Incoming {
  from: string
  seq: number
  isRequest: boolean
  /** The subscription that gets the message: one message may reach several, each once. */
  receiver: object
  deliver: () => void
}

interface Sender {
  /** Lower numbers are refused. */
  seq: number
  /** The subscriptions that got the message with this number. */
  receivers: object[]
}

/** A sender that has been asked, and has not answered yet. */
interface Contact {
  nonce: string
  askedAtMs: number
  /** Requests of the member, by number. */
  requests: Map<number, () => void>
}

interface ReplayParts {
  self: string
  /** Sends a question to the sender, which answers with a SequenceReport. */
  ask: (id: string, nonce: string) => void
  onReplay: (from: string) => void
}

/** Two numbers and an id each. Those that were silent for longest are asked again. */
const SENDERS_MAX = 10_000
const CONTACTS_MAX = 1_000
const REQUESTS_MAX = 100
const PENDING_MAX = 10_000
/** A question may be lost while the subscription of a new sender spreads among the servers of NATS. */
const ASK_AGAIN_MS = 500

/**
 * Delivers each message of a member to each subscription once (rule NET-11). Senders number their messages; of each sender,
 * only growing numbers are taken. A sender that is new to the receiver is asked for its number with a nonce, so that only
 * one that runs now is believed: no clocks are compared, and what was recorded before the receiver started is refused.
 */
export class ReplayProtection {
  readonly #parts: ReplayParts
  readonly #senders = new Map<string, Sender>()
  readonly #contacts = new Map<string, Contact>()
  readonly #pending = new Set<number>()
  #seq = 0

  constructor(parts: ReplayParts) {
    this.#parts = parts
    this.#senders.set(parts.self, { seq: 1, receivers: [] })
  }

  /** The number of the next message. */
  next(): number {
    this.#seq += 1
    return this.#seq
  }

  /** Vouches for the request with this number until the promise settles. */
  async vouch<T>(seq: number, answer: Promise<T>): Promise<T> {
    this.#pending.add(seq)
    try {
      return await answer
    } finally {
      this.#pending.delete(seq)
    }
  }

  /**
   * Delivers the message unless it was received before. Of a sender that is not known yet, requests wait for its answer, and
   * other messages are lost, as those before the start of this member are.
   */
  admit(message: Incoming): void {
    const { from, seq, receiver, deliver } = message
    if (!this.#senders.has(from)) this.#meet(from, message.isRequest ? message : null)
    else if (this.#isNew(from, seq, receiver)) deliver()
    else this.#parts.onReplay(from)
  }

  /** The answer to a question; null if it was asked before. Asks an unknown asker first, so that both know each other. */
  answer({ from, seq }: { from: string; seq: number }, nonce: string): SequenceReport | null {
    if (!this.#senders.has(from)) this.#meet(from, null)
    else if (!this.#isNew(from, seq, this)) return null
    return { nonce, seq: this.#seq, pending: [...this.#pending].slice(-PENDING_MAX) }
  }

  /** A sender has answered. True if it is known from now on. */
  receive(from: string, { nonce, seq, pending }: SequenceReport): boolean {
    const contact = this.#contacts.get(from)
    if (contact?.nonce !== nonce) return false
    this.#contacts.delete(from)
    this.#remember(from, { seq: seq + 1, receivers: [] })
    for (const [number, deliver] of contact.requests) if (pending.includes(number)) deliver()
    return true
  }

  #isNew(from: string, seq: number, receiver: object): boolean {
    const sender = this.#senders.get(from) as Sender
    if (seq < sender.seq || (seq === sender.seq && sender.receivers.includes(receiver))) return false
    if (seq > sender.seq) this.#remember(from, { seq, receivers: [receiver] })
    else sender.receivers.push(receiver)
    return true
  }

  /** The most recent last. */
  #remember(from: string, sender: Sender): void {
    this.#senders.delete(from)
    this.#senders.set(from, sender)
    dropOldest(this.#senders, SENDERS_MAX)
  }

  #meet(from: string, request: Incoming | null): void {
    const nowMs = performance.now()
    const contact = this.#contacts.get(from) ?? this.#createContact(from)
    if (request && contact.requests.size < REQUESTS_MAX && !contact.requests.has(request.seq))
      contact.requests.set(request.seq, request.deliver)
    if (nowMs - contact.askedAtMs < ASK_AGAIN_MS) return
    contact.askedAtMs = nowMs
    this.#parts.ask(from, contact.nonce)
  }

  #createContact(from: string): Contact {
    const nonce = randomBytes(16).toString('base64url')
    const contact = { nonce, askedAtMs: Number.NEGATIVE_INFINITY, requests: new Map() }
    this.#contacts.set(from, contact)
    dropOldest(this.#contacts, CONTACTS_MAX)
    return contact
  }
}

function dropOldest(map: Map<string, unknown>, max: number): void {
  if (map.size <= max) return
  const [oldest] = map.keys()
  map.delete(oldest as string)
}
