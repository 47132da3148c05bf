interface Sender {
  /** Until then, it counts as running. */
  provenUntilMs: number
  isAsked: boolean
  /** Messages of the sender that wait for the proof, in their order. */
  held: (() => void)[]
}

/** Questions that old servers and old media nodes answer, be it with a refusal. */
const questionsFor = (id: string) => [
  { subject: `server.${id}.do.sequence`, body: null },
  { subject: `media.${id}`, body: { name: 'ping', body: {} } },
]

/** Asked again from half of it on. */
const PROVEN_MS = 10_000
const SENDERS_MAX = 1_000
const HELD_MAX = 1_000

/**
 * Members of versions before NET-11, which do not number their messages. They are believed as long as they answer requests,
 * which nobody else can; until the first answer, their messages wait. So nothing is lost while the members of a cluster are
 * replaced, and once the last old member is gone, nothing without a number is taken any more. While one runs, its own messages
 * can be repeated.
 *
 * MUST be removed when no released version sends messages without numbers any more.
 */
export class UnnumberedSenders {
  readonly #request: (subject: string, body: unknown) => Promise<{ from: string }>
  readonly #monotonicMs: () => number
  readonly #senders = new Map<string, Sender>()

  /** `request`: resolves with the answer, be it a refusal; rejects without one. */
  constructor(
    request: (subject: string, body: unknown) => Promise<{ from: string }>,
    monotonicMs: () => number = () => performance.now(),
  ) {
    this.#request = request
    this.#monotonicMs = monotonicMs
  }

  admit(from: string, deliver: () => void): void {
    const sender = this.#senders.get(from) ?? this.#add(from)
    const nowMs = this.#monotonicMs()
    const isProven = nowMs < sender.provenUntilMs
    if (!isProven || nowMs > sender.provenUntilMs - PROVEN_MS / 2) void this.#ask(from, sender)
    if (isProven && sender.held.length === 0) deliver()
    else if (sender.held.length < HELD_MAX) sender.held.push(deliver)
  }

  #add(from: string): Sender {
    const [oldest] = this.#senders.keys()
    if (this.#senders.size >= SENDERS_MAX) this.#senders.delete(oldest as string)
    const sender: Sender = { provenUntilMs: Number.NEGATIVE_INFINITY, isAsked: false, held: [] }
    this.#senders.set(from, sender)
    return sender
  }

  async #ask(from: string, sender: Sender): Promise<void> {
    if (sender.isAsked) return
    sender.isAsked = true
    const isProven = await this.#answers(from)
    sender.isAsked = false
    const held = sender.held.splice(0)
    if (!isProven) return
    sender.provenUntilMs = this.#monotonicMs() + PROVEN_MS
    for (const deliver of held) deliver()
  }

  async #answers(id: string): Promise<boolean> {
    const answers = questionsFor(id).map(({ subject, body }) => this.#request(subject, body))
    const results = await Promise.allSettled(answers)
    return results.some(result => result.status === 'fulfilled' && result.value.from === id)
  }
}
