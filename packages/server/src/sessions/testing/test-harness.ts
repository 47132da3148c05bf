import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ErrorCode } from '@lectern/protocol'
import type {
  CommandBody,
  CommandData,
  CommandName,
  ConferenceRole,
  WaitReason,
} from '@lectern/protocol/control'
import type { Kysely } from 'kysely'
import { expect, onTestFinished } from 'vitest'
import { LocalLeases } from '../../compose/cluster/single-server.ts'
import type { SessionEntry } from '../../control/commands/command.ts'
import { commandTable } from '../../control/commands/table.ts'
import { DomainEvents } from '../../domain-events.ts'
import { attendanceStore } from '../../partners/stores/v2/attendance.ts'
import { openMainStore } from '../../platform/db/open.ts'
import type { MainSchema } from '../../platform/db/schema.ts'
import type { OnStatement } from '../../platform/db/statements.ts'
import { createLog } from '../../platform/log.ts'
import { dropDatabaseOf, mainStoreIn } from '../../testing/location.ts'
import type { Conditions } from '../command.ts'
import type { ConferenceSessions } from '../conference-sessions.ts'
import type { SessionLeases } from '../leases.ts'
import { createLiveSessions, startLiveSessions } from '../live-sessions.ts'
import type { ParticipantRef } from '../participants/membership.ts'
import type { Participants } from '../participants/participants.ts'
import type { ConferenceEntry, ConnectedUser, RunningMedia, SessionEvent, SessionParts } from '../ports.ts'
import type { Reports } from '../reports.ts'
import { SessionRegistry } from '../session-registry.ts'
import { chatStore } from '../stores/chat.ts'
import { sessionStore } from '../stores/conference-sessions.ts'
import { participantStore } from '../stores/participants.ts'
import type { Upkeep } from '../upkeep.ts'
import { FakeChatFiles } from './fake-chat-files.ts'
import { FakeDirectory, FakeEvents, FakeJobs, FakeMedia } from './fakes.ts'

export const TAG = 'aaaa-bbbbb-cccc'
export const OTHER_TAG = 'dddd-eeeee-ffff'
export const GRACE = 30_000
const START = 1_700_000_000_000

export type Wrap = (parts: SessionParts) => SessionParts

/** Sessions with real stores in a file, and a clock that tests move. */
export class TestHarness {
  readonly directory = new FakeDirectory(TAG, OTHER_TAG)
  readonly events = new FakeEvents()
  readonly media = new FakeMedia()
  readonly jobs = new FakeJobs()
  readonly failures: string[] = []
  /** The media that the next server finds, by session. */
  readonly runningMedia = new Map<number, RunningMedia>()
  readonly #dir = mkdtempSync(join(tmpdir(), 'lectern-conference-'))
  readonly #wrap: Wrap
  readonly chatFiles = new FakeChatFiles()
  #stores: { close(): Promise<void> }[] = []
  now = START
  #setBackMs = 0
  /** The dependencies as wrapped by the test, and the original ones. */
  parts!: SessionParts
  unwrapped!: SessionParts
  conferences!: ConferenceSessions
  participants!: Participants
  reports!: Reports
  upkeep!: Upkeep
  registry!: SessionRegistry
  /** Receives the statements of the servers that are started from now on. */
  onStatement: OnStatement | undefined
  /** In place of the leases of a single server. */
  leases: SessionLeases | ((db: Kysely<MainSchema>) => Promise<SessionLeases>) | null = null

  constructor(wrap: Wrap) {
    this.#wrap = wrap
  }

  /** Starts a server. The one before is abandoned, as after kill -9. */
  async restart(): Promise<void> {
    const store = await openMainStore(await mainStoreIn(this.#dir), { onStatement: this.onStatement })
    this.#stores.push(store)
    this.unwrapped = {
      directory: this.directory,
      sessions: sessionStore(store.db),
      chat: chatStore(store.db),
      chatLimiter: { take: () => null },
      chatFiles: this.chatFiles,
      board: null,
      participants: participantStore(store.db),
      attendance: attendanceStore(store.db),
      takeOverMedia: async room => this.runningMedia.get(room.sessionId) ?? null,
      media: this.media,
      events: this.events,
      jobs: this.jobs,
      clock: () => this.now,
      monotonicMs: () => this.now + this.#setBackMs,
      graceMs: GRACE,
      onFailure: what => () => void this.failures.push(what),
    }
    this.parts = this.#wrap(this.unwrapped)
    const { sessions, chat, clock, monotonicMs } = this.parts
    const shared = typeof this.leases === 'function' ? await this.leases(store.db) : this.leases
    const leases = shared ?? new LocalLeases(sessions)
    this.registry = new SessionRegistry({ leases, chat, clock, monotonicMs })
    const domainEvents = new DomainEvents(createLog('silent'))
    this.jobs.subscribe(domainEvents)
    const live = createLiveSessions({ ...this.parts, registry: this.registry, domainEvents })
    this.conferences = live.conferences
    this.participants = live.participants
    this.reports = live.reports
    this.upkeep = live.upkeep
    await startLiveSessions(live)
  }

  /** Moves the clock, then sweeps. */
  async advance(ms: number): Promise<void> {
    this.now += ms
    await this.upkeep.sweep()
  }

  /** Sets the clock back as an operator does, or NTP. */
  setClockBack(ms: number): void {
    this.now -= ms
    this.#setBackMs += ms
  }

  async join(
    name: string,
    role: ConferenceRole = 'participant',
    device = 1,
    tag = TAG,
    conditions: Conditions = {},
  ): Promise<TestParticipant> {
    const joined = await this.participants.join(tag, personOf(name, role, device), conditions)
    return new TestParticipant(this, joined.participant, userIdOf(name))
  }

  /** `link`: what a signed link gives; null: the plain link. */
  enterLobby(
    name: string,
    link: ConferenceRole | null = null,
    device = 1,
    tag = TAG,
  ): Promise<WaitReason | null> {
    return this.participants.enterLobby(tag, personOf(name, link, device))
  }

  /** `link`: as for enterLobby. */
  async joinAsGuest(name: string, link: ConferenceRole | null = 'participant'): Promise<TestParticipant> {
    const joined = await this.participants.join(TAG, { ...personOf(name, link, 1), isGuest: true })
    return new TestParticipant(this, joined.participant, userIdOf(name))
  }

  enterLobbyAsGuest(name: string, link: ConferenceRole | null): Promise<WaitReason | null> {
    return this.participants.enterLobby(TAG, { ...personOf(name, link, 1), isGuest: true })
  }

  /** Through the plain link. */
  async joinByPlainLink(name: string, device = 1, tag = TAG): Promise<TestParticipant> {
    const joined = await this.participants.join(tag, personOf(name, null, device))
    return new TestParticipant(this, joined.participant, userIdOf(name))
  }

  set entry(entry: ConferenceEntry) {
    const conference = this.directory.known.get(TAG)
    if (conference) this.directory.known.set(TAG, { ...conference, entry })
  }

  /** The last lobby status that the account received, and the reason of its wait. */
  lastLobbyStatus(name: string): [string, string | null] | undefined {
    const last = this.events.notifications.filter(({ userId }) => userId === userIdOf(name)).at(-1)
    return last && [last.body.status, last.body.reason ?? null]
  }

  async close(): Promise<void> {
    for (const store of this.#stores) await store.close()
    await dropDatabaseOf(this.#dir)
    rmSync(this.#dir, { recursive: true })
  }
}

type ResultOf<N> = N extends 'chat.send' | 'chat.history' ? CommandData<N> : unknown

/** A participant, with the commands of a client. */
export class TestParticipant {
  readonly #harness: TestHarness
  readonly ref: ParticipantRef
  readonly userId: number
  #commands = 0

  constructor(harness: TestHarness, ref: ParticipantRef, userId: number) {
    this.#harness = harness
    this.ref = ref
    this.userId = userId
  }

  get id(): string {
    return this.ref.participantId
  }

  async execute<N extends CommandName>(
    name: N,
    body: CommandBody<N>,
    id = `command-${this.id}-${++this.#commands}`,
    conditions: Conditions = {},
  ): Promise<ResultOf<N>> {
    const entry = commandTable[name] as unknown as SessionEntry<CommandName>
    const { run, findStored } = entry
    const command = { id, userId: this.userId, body, run, findStored, ...conditions }
    return (await this.#harness.participants.execute(this.ref, command)).data as ResultOf<N>
  }

  leave = (conditions: Conditions = {}) => this.#harness.participants.leave(this.ref, conditions)
  disconnect = () => this.#harness.participants.disconnect(this.ref)
  reconnect = (linkRole: ConferenceRole = 'participant') =>
    this.#harness.participants.reconnect(this.ref, { userId: this.userId, linkRole })
  view = () =>
    this.#harness.registry
      .state(this.ref.sessionId)
      ?.state.participants.find(({ participant_id }) => participant_id === this.id)
}

export async function openTestHarness(wrap: Wrap = parts => parts): Promise<TestHarness> {
  const harness = new TestHarness(wrap)
  onTestFinished(() => harness.close())
  await harness.restart()
  return harness
}

/** In the range of ids in the databases. */
export const userIdOf = (name: string) =>
  [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 2 ** 31, 7)

export const personOf = (name: string, linkRole: ConferenceRole | null, device: number): ConnectedUser => ({
  userId: userIdOf(name),
  displayName: name,
  linkRole,
  connectionId: `${name}-${device}`,
  isGuest: false,
  isResumable: true,
})

export const namesOf = (events: SessionEvent[]) => events.map(({ name }) => name)

export const refuses = (attempt: Promise<unknown>, code: ErrorCode) =>
  expect(attempt).rejects.toMatchObject({ name: 'ConferenceRefusal', code })
