import { fuzzSeeds, type RandomChoices, randomChoices, seededRandom } from '@lectern/common/testing'
import { describe, expect, it, onTestFailed } from 'vitest'
import { EventChecker } from './testing/event-checker.ts'
import { FaultInjector } from './testing/fault-injector.ts'
import { expectStored, findOpenSessions } from './testing/stored-sessions.ts'
import { newTab, type Tab } from './testing/tab.ts'
import {
  GRACE,
  OTHER_TAG,
  openTestHarness,
  TAG,
  type TestHarness,
  type TestParticipant,
  userIdOf,
} from './testing/test-harness.ts'

const ACTIONS = 700

class Fuzz {
  readonly #random: RandomChoices
  #faults: FaultInjector
  #harness!: TestHarness
  #pending: Promise<unknown>[] = []
  #incarnation = 0
  readonly #tabs: Tab[] = ['anna', 'ben', 'carl', 'dora', 'eve', 'finn'].flatMap(name =>
    [1, 2].map(device => newTab(name, device)),
  )
  readonly #events = new EventChecker()
  readonly #sent: { guest: TestParticipant; commandId: string; text: string; answer: string | null }[] = []
  readonly done: Record<string, number> = {}

  constructor(seed: number) {
    this.#random = randomChoices(seededRandom(seed))
    this.#faults = new FaultInjector(this.#random)
  }

  async run(actions: number): Promise<void> {
    this.#faults.failureRate = 0
    this.#harness = await openTestHarness(parts => this.#faults.wrap(parts))
    this.#harness.entry = 'lobby'
    this.#faults.failureRate = 0.02
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
    const { participants } = this.#harness
    if (this.#random.chance(0.3)) this.#start(participants.leaveLobbies(`${name}-${device}`), 'leave lobbies')
    else
      this.#start(
        this.#harness.enterLobby(name, this.#random.chance(0.5) ? 'participant' : null, device, tag),
        'wait',
      )
  }

  #comeAndGo(tab: Tab, guest: TestParticipant): void {
    const { chance } = this.#random
    const become = (guest: TestParticipant | null, lostAt: number | null) =>
      Object.assign(tab, { guest, lostAt })
    if (tab.lostAt !== null)
      this.#presence(tab, 'back', guest.reconnect(chance(0.5) ? 'moderator' : 'participant'), isBack =>
        become(isBack ? guest : null, null),
      )
    else if (chance(0.3)) this.#presence(tab, 'leave', guest.leave(), () => become(null, null))
    else
      this.#presence(tab, 'lose', guest.disconnect(), wasInside =>
        wasInside ? become(guest, this.#harness.now) : become(null, null),
      )
  }

  /** The result is ignored when the server was killed meanwhile. */
  #presence<T>(tab: Tab, name: string, work: Promise<T>, then: (result: T) => unknown): void {
    tab.isBusy = true
    const incarnation = this.#incarnation
    const free = () => incarnation === this.#incarnation && Object.assign(tab, { isBusy: false })
    this.#start(work.then(result => incarnation === this.#incarnation && then(result)).finally(free), name)
  }

  #chat(guest: TestParticipant): void {
    const old = this.#random.chance(0.3) && this.#sent.length > 0 ? this.#random.pick(this.#sent) : null
    const message =
      old?.guest.userId === guest.userId && old.guest.ref.sessionId === guest.ref.sessionId
        ? { ...old, guest }
        : { guest, commandId: `c-${this.#sent.length}`, text: `text ${this.#sent.length}`, answer: null }
    if (!old) this.#sent.push(message)
    const send = guest
      .execute('chat.send', { text: message.text }, message.commandId)
      .then(({ message_id }) => {
        if (message.answer !== null) expect(message_id).toBe(message.answer)
        message.answer = message_id
      })
    this.#start(send, 'chat')
  }

  #command(guest: TestParticipant): void {
    const { chance, pick } = this.#random
    const participant_id = pick(this.#tabs).guest?.id ?? guest.id
    const user_id = String(userIdOf(pick(this.#tabs).name))
    const commands = [
      () => guest.execute('participant.update', { hand_raised: chance(0.5) }),
      () => guest.execute('participant.update', { display_name: pick(['A', 'B', 'C']) }),
      () => guest.execute('participant.update', { participant_id, hand_raised: false }),
      () =>
        guest.execute(
          'participant.mute',
          chance(0.5) ? { source: 'audio' } : { source: 'audio', participant_id },
        ),
      () => guest.execute('conference.set_permissions', { [pick(['microphone', 'camera'])]: chance(0.5) }),
      () =>
        guest.execute('participant.set_permissions', {
          user_id,
          screen: pick([true, false, null]),
          chat: null,
        }),
      () => guest.execute('conference.set_spotlight', { user_id: chance(0.3) ? null : user_id }),
      () => guest.execute('participant.lower_hands', {}),
      () => guest.execute('conference.set_lock', { locked: chance(0.4) }),
      () => guest.execute('chat.set_mode', { mode: chance(0.7) ? 'open' : 'read_only' }),
      () => guest.execute('participant.remove', { participant_id }),
      () => guest.execute('lobby.admit', chance(0.5) ? { user_id } : {}),
      () => guest.execute('lobby.deny', chance(0.2) ? {} : { user_id }),
      () => guest.execute('participant.readmit', { user_id }),
      () => guest.execute('chat.history', { limit: 5 }),
      () =>
        chance(0.1) ? guest.execute('conference.end', {}) : guest.execute('participant.readmit', { user_id }),
    ]
    this.#start(pick<() => Promise<unknown>>(commands)(), 'command')
  }

  #start(work: Promise<unknown>, name: string): void {
    this.done[name] = (this.done[name] ?? 0) + 1
    // Refusals and injected failures are expected; any other error is a bug.
    const expected = work.catch((error: Error) => {
      if (!/Refusal$/.test(error.name) && !error.message.startsWith('store:')) throw error
    })
    this.#pending.push(expected)
  }

  async #pass(ms: number): Promise<void> {
    await this.#settle()
    const isDone = await this.#harness.advance(ms).then(
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
    await this.#faults.kill()
    this.#pending = []
    this.#readEvents()
    for (const tab of this.#tabs) Object.assign(tab, { guest: null, lostAt: null, isBusy: false })
    this.#faults = new FaultInjector(this.#random)
    this.#faults.failureRate = 0
    await this.#harness.restart()
    this.#faults.failureRate = 0.02
    const restored = (await findOpenSessions(this.#harness)).map(({ sessionId }) => {
      const { state } =
        this.#harness.registry.state(sessionId) ?? expect.fail('an open session was not restored')
      return [sessionId, state] as const
    })
    this.#events.reset(new Map(restored))
  }

  /** Waits for all pending work, then checks everything. */
  async #settle(): Promise<void> {
    await Promise.all(this.#pending.splice(0))
    this.#readEvents()
    for (const tab of this.#tabs)
      if (tab.guest && !this.#harness.participants.isInside(tab.guest.ref)) {
        tab.guest = null
        tab.lostAt = null
      }
    const participants = this.#tabs.flatMap(({ guest, lostAt }) =>
      guest ? [{ id: guest.id, sessionId: guest.ref.sessionId, isConnected: lostAt === null }] : [],
    )
    this.#events.check(this.#harness.registry, participants)
  }

  #readEvents(): void {
    this.#events.read(this.#harness.events.published.splice(0), this.#harness.registry)
  }

  /** With stores that work again, their content is what was published. */
  async #finish(): Promise<void> {
    this.#faults.failureRate = 0
    for (const tag of [TAG, OTHER_TAG]) await this.#compareWithStore(tag)
    const acknowledged = this.#sent.filter(({ answer }) => answer !== null)
    for (const { guest, commandId, text, answer } of acknowledged) {
      const key = { chatId: `session:${guest.ref.sessionId}`, userId: guest.userId, commandId }
      const stored = await this.#harness.unwrapped.chat.find(key)
      expect([String(stored?.messageId), stored?.text]).toEqual([answer, text])
    }
    for (const { guest } of this.#tabs) await guest?.leave()
    for (const tab of this.#tabs) Object.assign(tab, { guest: null, lostAt: null })
    await this.#harness.advance(GRACE)
    await this.#settle()
    for (const tag of [TAG, OTHER_TAG]) expect(await this.#harness.registry.isLive(tag)).toBe(false)
  }

  async #compareWithStore(tag: string): Promise<void> {
    const last = newTab('gina', 1)
    last.guest = await this.#harness.join(last.name, 'moderator', 1, tag)
    this.#tabs.push(last)
    const { sessionId } = last.guest.ref
    await last.guest.execute('conference.set_lock', { locked: true })
    await last.guest.execute('conference.set_lock', { locked: false })
    await last.guest.execute('chat.send', { text: 'the end' })
    await this.#settle()
    await expectStored(this.#harness, sessionId)
  }
}

describe('commands, failures and crashes in any order', () => {
  it.each(fuzzSeeds(1, 115))(
    'leave no stale participant, no gap in the events and nothing published twice (seed %i)',
    async seed => {
      const fuzz = new Fuzz(seed)
      onTestFailed(() => console.log(fuzz.done))
      await fuzz.run(ACTIONS)
    },
    60_000,
  )
})
