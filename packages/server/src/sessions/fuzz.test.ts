import { type RandomChoices, randomChoices, seededRandom } from '@lectern/common/testing'
import { describe, expect, it } from 'vitest'
import type { SessionEvent } from './ports.ts'
import type { SessionRegistry } from './session-registry.ts'
import { apply, Fate } from './testing/fuzz.ts'
import {
  GRACE,
  type Guest,
  OTHER_TAG,
  openTestHarness,
  TAG,
  type TestHarness,
  userIdOf,
} from './testing/test-harness.ts'

const ACTIONS = 700
const SEEDS = process.env.FUZZ_SEED ? [Number(process.env.FUZZ_SEED)] : [1, 2, 3, 4, 5, 115]

type State = NonNullable<ReturnType<SessionRegistry['state']>>['state']

/** A tab in somebody's browser. */
interface Tab {
  name: string
  device: number
  guest: Guest | null
  lostAt: number | null
  isBusy: boolean
  connections: number
}

class Fuzz {
  readonly #random: RandomChoices
  #fate: Fate
  #harness!: TestHarness
  #pending: Promise<unknown>[] = []
  #incarnation = 0
  readonly #tabs: Tab[] = ['anna', 'ben', 'carl', 'dora', 'eve', 'finn'].flatMap(name =>
    [1, 2].map(device => ({ name, device, guest: null, lostAt: null, isBusy: false, connections: 0 })),
  )
  readonly #seen = new Map<number, State>()
  readonly #versions = new Map<number, number>()
  readonly #over = new Set<number>()
  readonly #told = new Map<number, number>()
  readonly #sent: { guest: Guest; commandId: string; text: string; answer: string | null }[] = []
  readonly done: Record<string, number> = {}

  constructor(seed: number) {
    this.#random = randomChoices(seededRandom(seed))
    this.#fate = new Fate(this.#random)
  }

  async run(actions: number): Promise<void> {
    this.#fate.failing = 0
    this.#harness = await openTestHarness(deps => this.#fate.wrap(deps))
    this.#harness.entry = 'lobby'
    this.#fate.failing = 0.02
    for (let i = 0; i < actions; i++) {
      await this.#step()
      if (this.#random.chance(0.4)) await this.#settle()
    }
    await this.#settle()
    await this.#finish()
  }

  async #step(): Promise<void> {
    const { chance, below, pick } = this.#random
    if (chance(0.015)) return this.#crash()
    if (chance(0.1)) return this.#pass(below(chance(0.2) ? 70_000 : 8000))
    const tag = chance(0.8) ? TAG : OTHER_TAG
    if (chance(0.006)) return this.#start(this.#harness.conferences.end(tag, 'closed'), 'close')
    const tab = pick(this.#tabs)
    if (tab.isBusy) return
    if (!tab.guest) return chance(0.3) ? this.#lobby(tab, tag) : this.#join(tab, tag)
    if (tab.lostAt !== null || chance(0.25)) return this.#comeAndGo(tab, tab.guest)
    if (chance(0.35)) return this.#chat(tab.guest)
    this.#command(tab.guest)
  }

  #join(tab: Tab, tag: string): void {
    const role = this.#random.chance(0.4) ? 'moderator' : 'participant'
    const connection = tab.device * 1000 + ++tab.connections // a reload is another connection
    const joining = this.#harness.join(tab.name, role, connection, tag)
    this.#presence(tab, 'join', joining, guest => Object.assign(tab, { guest }))
  }

  #lobby({ name, device }: Tab, tag: string): void {
    const { conferences } = this.#harness
    if (this.#random.chance(0.3))
      this.#start(conferences.leaveAllLobbies(`${name}-${device}`), 'wait no more')
    else
      this.#start(
        this.#harness.wait(name, this.#random.chance(0.5) ? 'participant' : null, device, tag),
        'wait',
      )
  }

  #comeAndGo(tab: Tab, guest: Guest): void {
    const { chance } = this.#random
    const become = (guest: Guest | null, lostAt: number | null) => Object.assign(tab, { guest, lostAt })
    if (tab.lostAt !== null)
      this.#presence(tab, 'back', guest.back(chance(0.5) ? 'moderator' : 'participant'), isBack =>
        become(isBack ? guest : null, null),
      )
    else if (chance(0.3)) this.#presence(tab, 'leave', guest.leave(), () => become(null, null))
    else
      this.#presence(tab, 'lose', guest.lose(), wasInside =>
        wasInside ? become(guest, this.#harness.now) : become(null, null),
      )
  }

  /** Nothing that comes of it counts when the server was killed meanwhile. */
  #presence<T>(tab: Tab, name: string, work: Promise<T>, then: (result: T) => unknown): void {
    tab.isBusy = true
    const incarnation = this.#incarnation
    const free = () => incarnation === this.#incarnation && Object.assign(tab, { isBusy: false })
    this.#start(work.then(result => incarnation === this.#incarnation && then(result)).finally(free), name)
  }

  #chat(guest: Guest): void {
    const old = this.#random.chance(0.3) && this.#sent.length > 0 ? this.#random.pick(this.#sent) : null
    const message =
      old?.guest.userId === guest.userId && old.guest.ref.sessionId === guest.ref.sessionId
        ? { ...old, guest }
        : { guest, commandId: `c-${this.#sent.length}`, text: `text ${this.#sent.length}`, answer: null }
    if (!old) this.#sent.push(message)
    const send = guest.act('chat.send', { text: message.text }, message.commandId).then(({ message_id }) => {
      if (message.answer !== null) expect(message_id).toBe(message.answer)
      message.answer = message_id
    })
    this.#start(send, 'chat')
  }

  #command(guest: Guest): void {
    const { chance, pick } = this.#random
    const participant_id = pick(this.#tabs).guest?.id ?? guest.id
    const user_id = String(userIdOf(pick(this.#tabs).name))
    const commands = [
      () => guest.act('participant.update', { hand_raised: chance(0.5) }),
      () => guest.act('participant.update', { display_name: pick(['A', 'B', 'C']) }),
      () => guest.act('participant.update', { participant_id, hand_raised: false }),
      () =>
        guest.act(
          'participant.mute',
          chance(0.5) ? { source: 'audio' } : { source: 'audio', participant_id },
        ),
      () => guest.act('conference.set_lock', { locked: chance(0.4) }),
      () => guest.act('chat.set_mode', { mode: chance(0.7) ? 'open' : 'read_only' }),
      () => guest.act('participant.remove', { participant_id }),
      () => guest.act('lobby.admit', chance(0.5) ? { user_id } : {}),
      () => guest.act('lobby.deny', chance(0.2) ? {} : { user_id }),
      () => guest.act('participant.readmit', { user_id }),
      () => guest.act('chat.history', { limit: 5 }),
      () => (chance(0.1) ? guest.act('conference.end', {}) : guest.act('participant.readmit', { user_id })),
    ]
    this.#start(pick<() => Promise<unknown>>(commands)(), 'command')
  }

  #start(work: Promise<unknown>, name: string): void {
    this.done[name] = (this.done[name] ?? 0) + 1
    // What a person may be told, and the store's trouble; anything else is a bug.
    const expected = work.catch((error: Error) => {
      if (!/Refusal$/.test(error.name) && !error.message.startsWith('store:')) throw error
    })
    this.#pending.push(expected)
  }

  async #pass(ms: number): Promise<void> {
    await this.#settle()
    const isDone = await this.#harness.pass(ms).then(
      () => true,
      () => false,
    )
    await this.#settle()
    const { now } = this.#harness
    if (isDone)
      for (const { guest, lostAt } of this.#tabs)
        expect(guest !== null && lostAt !== null && now - lostAt >= GRACE).toBe(false)
  }

  async #crash(): Promise<void> {
    this.done.crash = (this.done.crash ?? 0) + 1
    this.#incarnation++
    await this.#fate.kill()
    this.#pending = []
    this.#readEvents()
    for (const tab of this.#tabs) Object.assign(tab, { guest: null, lostAt: null, isBusy: false })
    this.#fate = new Fate(this.#random)
    this.#fate.failing = 0
    await this.#harness.restart()
    this.#fate.failing = 0.02
    this.#told.clear()
    this.#seen.clear()
    for (const { sessionId } of await this.#openRows()) {
      const { state } =
        this.#harness.registry.state(sessionId) ?? expect.fail('an open session was not resumed')
      this.#seen.set(sessionId, state)
    }
  }

  /** Waits for all that is under way, then looks at everything. */
  async #settle(): Promise<void> {
    await Promise.all(this.#pending.splice(0))
    this.#readEvents()
    for (const tab of this.#tabs)
      if (tab.guest && !this.#harness.conferences.isInside(tab.guest.ref)) {
        tab.guest = null
        tab.lostAt = null
      }
    for (const [sessionId, seen] of this.#seen) {
      const now = this.#harness.registry.state(sessionId)
      if (this.#over.has(sessionId)) expect(now).toBeNull()
      else this.#check(sessionId, seen, now ?? expect.fail(`${sessionId} is gone without a word`))
    }
  }

  #check(sessionId: number, seen: State, { state, version }: { state: State; version: number }): void {
    expect({ ...state, started_at_ms: 0 }).toEqual({ ...seen, started_at_ms: 0 })
    expect(version).toBeGreaterThanOrEqual(this.#versions.get(sessionId) ?? 0)
    const removed = new Set(state.removed.map(({ user_id }) => user_id))
    expect(state.participants.filter(({ user_id }) => removed.has(user_id))).toEqual([])
    const inside = this.#tabs.filter(({ guest }) => guest?.ref.sessionId === sessionId)
    const expected = inside.map(({ guest, lostAt }) => [guest?.id, lostAt === null ? 'here' : 'away'])
    const actual = state.participants.map(({ participant_id, presence }) => [participant_id, presence])
    expect(actual.sort()).toEqual(expected.sort())
  }

  #readEvents(): void {
    for (const { sessionId, event } of this.#harness.events.published.splice(0)) {
      expect(this.#over.has(sessionId)).toBe(false)
      expect(event.version).toBeGreaterThan(this.#versions.get(sessionId) ?? 0)
      this.#versions.set(sessionId, event.version)
      this.#seen.set(sessionId, apply(this.#seen.get(sessionId) ?? this.#newState(sessionId), event))
      if (event.name === 'session.ended') this.#over.add(sessionId)
      if (event.name === 'chat.message') this.#noteMessage(sessionId, event)
    }
  }

  #noteMessage(sessionId: number, { body }: Extract<SessionEvent, { name: 'chat.message' }>): void {
    const id = Number(body.message.message_id)
    expect(id).toBeGreaterThan(this.#told.get(sessionId) ?? 0) // once, and in order
    this.#told.set(sessionId, id)
  }

  #newState = (sessionId: number): State => ({
    conference_tag: this.#harness.registry.state(sessionId)?.state.conference_tag ?? '',
    conference_session_id: String(sessionId),
    started_at_ms: 0,
    locked: false,
    chat_mode: 'open',
    recording: false,
    transcription: false,
    media: null,
    participants: [],
    publications: [],
    removed: [],
    lobby: [],
    messages: [],
    has_older_messages: false,
    phrases: [],
  })

  async #openRows() {
    const all = await Promise.all(
      Array.from({ length: 200 }, (_, i) => this.#harness.unwrapped.sessions.find(i + 1)),
    )
    const rows = all.filter(session => session !== null && session.ended === null)
    expect(new Set(rows.map(row => row?.tag)).size).toBe(rows.length)
    return rows.flatMap(row => row ?? [])
  }

  /** With stores that work again, what is in them is what was told. */
  async #finish(): Promise<void> {
    this.#fate.failing = 0
    for (const tag of [TAG, OTHER_TAG]) await this.#compareWithStore(tag)
    const acknowledged = this.#sent.filter(({ answer }) => answer !== null)
    for (const { guest, commandId, text, answer } of acknowledged) {
      const key = { chatId: `session:${guest.ref.sessionId}`, userId: guest.userId, commandId }
      const stored = await this.#harness.unwrapped.chat.find(key)
      expect([String(stored?.messageId), stored?.text]).toEqual([answer, text])
    }
    for (const { guest } of this.#tabs) await guest?.leave()
    for (const tab of this.#tabs) Object.assign(tab, { guest: null, lostAt: null })
    await this.#harness.pass(GRACE)
    await this.#settle()
    expect([
      await this.#harness.registry.isLive(TAG),
      await this.#harness.registry.isLive(OTHER_TAG),
    ]).toEqual([false, false])
  }

  async #compareWithStore(tag: string): Promise<void> {
    const { registry, unwrapped } = this.#harness
    const last: Tab = { name: 'gina', device: 1, guest: null, lostAt: null, isBusy: false, connections: 0 }
    last.guest = await this.#harness.join(last.name, 'moderator', 1, tag)
    this.#tabs.push(last)
    const { sessionId } = last.guest.ref
    await last.guest.act('conference.set_lock', { locked: true })
    await last.guest.act('conference.set_lock', { locked: false })
    await last.guest.act('chat.send', { text: 'the end' })
    await this.#settle()
    const { state } = registry.state(sessionId) ?? expect.fail()
    const stored = (await unwrapped.sessions.find(sessionId)) ?? expect.fail()
    expect([stored.locked, stored.chatMode]).toEqual([state.locked, state.chat_mode])
    expect(stored.removed.map(({ userId }) => String(userId))).toEqual(
      state.removed.map(({ user_id }) => user_id),
    )
    const { messages } = await unwrapped.chat.page(`session:${sessionId}`, null, { limit: 100, bytes: 1e9 })
    expect(messages.map(({ messageId }) => String(messageId))).toEqual(
      state.messages.map(({ message_id }) => message_id),
    )
  }
}

describe('anything in any order', () => {
  it.each(SEEDS)(
    'leaves no ghost, no gap and nothing twice (seed %i)',
    async seed => {
      const fuzz = new Fuzz(seed)
      await fuzz.run(ACTIONS)
      if (process.env.FUZZ_SEED) console.log(fuzz.done)
    },
    60_000,
  )
})
