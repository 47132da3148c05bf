import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Refusal } from '@lectern/protocol'
import type { Kysely } from 'kysely'
import { onTestFinished } from 'vitest'
import type { User } from '../../accounts/ports.ts'
import { userStore } from '../../accounts/stores/users.ts'
import { type CallsPart, composeCalls } from '../../compose/calls.ts'
import { LocalLeases, localSupervision, lossless } from '../../compose/cluster/single-server.ts'
import { CHAT_TOPIC, composeMessaging, type MessagingPart } from '../../compose/messaging.ts'
import { DomainEvents } from '../../domain-events.ts'
import { ConferenceLookup } from '../../messaging/directory/conference-lookup.ts'
import { PushSubscriptions } from '../../messaging/push/subscriptions.ts'
import { callStore } from '../../messaging/stores/calls.ts'
import { contactStore } from '../../messaging/stores/contacts.ts'
import { conversationStore } from '../../messaging/stores/conversations.ts'
import { messageStore } from '../../messaging/stores/messages.ts'
import { pushSubscriptionStore } from '../../messaging/stores/push-subscriptions.ts'
import { attendanceStore } from '../../partners/stores/v2/attendance.ts'
import { openMainStore } from '../../platform/db/open.ts'
import type { MainSchema } from '../../platform/db/schema.ts'
import { createLog } from '../../platform/log.ts'
import { shortDigest } from '../../platform/short-digest.ts'
import { noTracing } from '../../platform/tracing.ts'
import { Jobs } from '../../records/jobs/jobs.ts'
import { jobStore } from '../../records/stores/jobs.ts'
import type { BoardFile, BoardStore } from '../../sessions/board/ports.ts'
import type { ConferenceSessions } from '../../sessions/conference-sessions.ts'
import type { SessionLeases } from '../../sessions/leases.ts'
import { createLiveSessions, type LiveSessions, startLiveSessions } from '../../sessions/live-sessions.ts'
import type { ChatNotice, LinkGrant, RunningMedia } from '../../sessions/ports.ts'
import { SessionRegistry } from '../../sessions/session-registry.ts'
import { boardStore } from '../../sessions/stores/boards.ts'
import { chatStore } from '../../sessions/stores/chat.ts'
import { sessionStore } from '../../sessions/stores/conference-sessions.ts'
import { ordinaryConferenceStore } from '../../sessions/stores/conferences.ts'
import { participantStore } from '../../sessions/stores/participants.ts'
import { FakeChatFiles } from '../../sessions/testing/fake-chat-files.ts'
import { FakeDirectory, FakeMedia } from '../../sessions/testing/fakes.ts'
import { countRunning, dropDatabaseOf, mainStoreIn } from '../../testing/location.ts'
import { ControlServer } from '../control-server.ts'
import { answerBudget, FrameLimiter, notificationBudget } from '../limits/account-budgets.ts'
import { boardLimiter } from '../limits/board-limiter.ts'
import type { CapacityLimits } from '../limits/capacity.ts'
import { type ChatRates, chatLimiter } from '../limits/chat-limiter.ts'
import { type ResultLimits, resultLimits } from '../limits/constants.ts'
import { LobbyRateLimiter } from '../limits/lobby-limiter.ts'
import { SignalLimiter } from '../limits/signal-limiter.ts'
import type { Authenticator, Login } from '../ports.ts'
import { RefusedJoins } from '../refused-joins.ts'
import { InMemoryEventBus } from '../streams/event-bus.ts'
import { ServerStreams } from '../streams/server-streams.ts'
import { envelopeEncoder } from '../v2/envelopes.ts'
import { ResumeTokens } from '../v2/resume-tokens.ts'
import { FakeParticipantMedia } from './fake-media.ts'
import { RawClient } from './raw-client.ts'
import { OTHER_TAG, TAG } from './tags.ts'

export { OTHER_TAG, TAG } from './tags.ts'

const GRACE = 30_000
const START = 1_700_000_000_000

/** An authenticator that knows people by name: the access token is the name, the join token `<role>@<tag>`. */
class FakeAuthenticator implements Authenticator {
  readonly users = new Map<string, User>()
  readonly refused = new Map<string, Refusal>()
  readonly ended = new Set<string>()
  version = 1
  renewals = 0

  async login(accessToken: string, joinToken: string | undefined): Promise<Login> {
    const refusal = this.refused.get(joinToken ?? accessToken) ?? this.refused.get(accessToken)
    if (refusal) throw refusal
    const admission = joinToken === undefined ? null : readJoinToken(joinToken)
    return { user: this.user(accessToken), authSessionId: accessToken, joinToken, admission }
  }

  async renew({ authSessionId, joinToken }: Login) {
    if (this.ended.has(authSessionId)) throw new Refusal('session_ended')
    this.renewals += 1
    return this.login(authSessionId, joinToken)
  }

  accessVersion = () => this.version

  /** From now on logins with that access token or join token are refused. */
  refuse(token: string, refusal: Refusal) {
    this.refused.set(token, refusal)
    this.version += 1
  }

  changeUser(name: string, changes: Partial<User>) {
    this.users.set(name, { ...this.user(name), ...changes })
    this.version += 1
  }

  user(name: string): User {
    const known = this.users.get(name)
    const user = known ?? { ...nobody, id: this.users.size + 1, login: name, displayName: name }
    this.users.set(name, user)
    return user
  }
}

const nobody: User = {
  id: 0,
  login: '',
  displayName: '',
  kind: 'ordinary',
  passwordHash: null,
  capabilities: [],
  language: null,
  email: null,
  missedCallMails: false,
  createdAt: 0,
  disabledAt: null,
  deletedAt: null,
}

const readJoinToken = (token: string): LinkGrant => {
  const [role, tag] = token.split('@') as ['moderator' | 'participant', string]
  return { role, tag, displayName: '' }
}

/** The control channel with real conferences and stores; time stands still until it is moved. */
export class ControlHarness {
  readonly authenticator = new FakeAuthenticator()
  readonly media = new FakeParticipantMedia()
  readonly directory = new FakeDirectory(TAG, OTHER_TAG)
  readonly chatFiles = new FakeChatFiles()
  /** The media that the next server finds, by session. */
  readonly runningMedia = new Map<number, RunningMedia>()
  readonly #dir = mkdtempSync(join(tmpdir(), 'lectern-control-'))
  #running = () => 0
  #stores: { close(): Promise<void> }[] = []
  readonly #clients: RawClient[] = []
  isPushEnabled = true
  framesPerMinute: number | null = null
  answerBytesPerMinute: number | null = null
  notificationsPerMinute: number | null = null
  resultLimits = resultLimits()
  capacity: CapacityLimits = { total: 10_000, perAccount: 64, perAddress: null }
  chatRates: ChatRates = { account: null, session: null }
  lobbyPerMinute: { account: number | null; address: number | null } = { account: null, address: null }
  now = START
  /** The difference between the time of the database and the time of this machine. */
  correctionMs = 0
  conferences!: ConferenceSessions
  reports!: LiveSessions['reports']
  boards!: LiveSessions['boards']
  /** Null: the server has no boards. */
  boardStore: ((db: Kysely<MainSchema>) => BoardStore) | null = boardStore
  isBoardLimited = false
  maxOpenBoardBytes = Number.POSITIVE_INFINITY
  /** The files that boards can show, by file_id. */
  readonly boardFiles = new Map<string, BoardFile>()
  upkeep!: LiveSessions['upkeep']
  registry!: SessionRegistry
  leases!: SessionLeases
  streams!: ServerStreams
  control!: ControlServer
  jobs!: Jobs
  calls!: CallsPart
  pushSubscriptions!: PushSubscriptions
  pushStore!: ReturnType<typeof pushSubscriptionStore>
  messaging!: MessagingPart
  contactRequestsPerMinute = 1_000
  /** Whether accounts find all others by their ids. */
  hasDirectory = true
  db!: Kysely<MainSchema>
  domainEvents!: DomainEvents
  /** The present store, for tests that make it slow. */
  chat!: ReturnType<typeof chatStore>

  /** Starts a server; also after a kill -9, for the one before just stops being used. */
  async restart(): Promise<void> {
    const store = await openMainStore(await mainStoreIn(this.#dir))
    this.#stores.push(store)
    this.db = store.db
    this.#running = countRunning(store.db)
    const clock = () => this.now + this.correctionMs
    const monotonicMs = () => this.now
    const sessions = sessionStore(store.db)
    const domainEvents = new DomainEvents(createLog('silent'))
    this.domainEvents = domainEvents
    this.chat = chatStore(store.db)
    this.leases = new LocalLeases(sessions)
    const { leases } = this
    const registry = new SessionRegistry({ leases, chat: this.chat, clock, monotonicMs })
    const streams = new ServerStreams({
      delivery: lossless,
      bus: new InMemoryEventBus(),
      encoder: envelopeEncoder,
      sessions: {
        incarnation: id => registry.get(id)?.lease.incarnation ?? null,
        state: id => registry.state(id)?.state ?? null,
      },
      clock,
      log: createLog('silent'),
    })
    const jobs = new Jobs({
      store: jobStore(store.db),
      sessions: registry,
      domainEvents,
      workers: { publishToAccount: (userId, event) => streams.accounts.publish(userId, event) },
      recordingParams: { profile: 'consolidated_native' },
      results: { recording: async () => {}, transcription: async () => {}, conversion: async () => {} },
      externalIdsOf: this.directory.externalIdsOf,
      clock,
      log: createLog('silent'),
    })
    const limiter = chatLimiter(clock, this.chatRates)
    const chatBus = new InMemoryEventBus<ChatNotice>()
    this.messaging = this.#composeMessaging(store.db, domainEvents, {
      streams,
      registry,
      chatLimiter: limiter,
      chatFiles: this.chatFiles,
      chatBus,
      vanishedBus: new InMemoryEventBus<number>(),
    })
    const live = createLiveSessions({
      directory: this.directory,
      sessions,
      registry,
      domainEvents,
      chat: this.messaging.chat,
      chatLimiter: limiter,
      chatFiles: this.chatFiles,
      board: this.boardStore && {
        store: this.boardStore(store.db),
        pages: streams.pages,
        slidesOf: async () => null,
        limiter: boardLimiter(clock, { isEnabled: this.isBoardLimited }),
        delay: () => new Promise(resolve => setImmediate(resolve)),
        findFile: async id => this.boardFiles.get(id) ?? null,
        digest: shortDigest,
        maxOpenBytes: this.maxOpenBoardBytes,
      },
      participants: participantStore(store.db),
      attendance: attendanceStore(store.db),
      takeOverMedia: async ({ sessionId }) => this.runningMedia.get(sessionId) ?? null,
      media: new FakeMedia(),
      events: this.messaging.events,
      jobs,
      clock,
      monotonicMs,
      graceMs: GRACE,
      onFailure: () => () => {},
    })
    const { conferences, participants, reports, upkeep, boards } = live
    this.boards = boards
    this.calls = this.#composeCalls(store.db, { registry, streams, conferences, domainEvents })
    chatBus.subscribe(CHAT_TOPIC, notice => reports.applyChatNotice(notice))
    await startLiveSessions(live)
    this.conferences = conferences
    this.reports = reports
    this.upkeep = upkeep
    this.registry = registry
    this.streams = streams
    this.jobs = jobs
    this.pushStore = pushSubscriptionStore(store.db)
    this.pushSubscriptions = new PushSubscriptions({
      store: this.pushStore,
      isEnabled: this.isPushEnabled,
      allowInsecure: false,
      clock,
    })
    const notifications = notificationBudget(clock, this.notificationsPerMinute)
    this.control = new ControlServer({
      authenticator: this.authenticator,
      media: this.media,
      jobs: jobs.leased,
      pushSubscriptions: this.pushSubscriptions,
      turnAccess: userId => ({
        servers: [{ urls: ['turn:turn.example.org'], username: `${userId}`, credential: 'secret' }],
        ttlMs: 1000,
      }),
      conferences,
      participants,
      reports,
      boards,
      calls: this.calls.calls,
      messaging: this.messaging.messaging,
      registry,
      streams,
      clock,
      monotonicMs,
      log: createLog('silent'),
      tracing: noTracing,
      deploymentId: 'test',
      resumeTokens: new ResumeTokens({ keys: () => [Buffer.from('the key of this installation')], clock }),
      graceMs: GRACE,
      answers: answerBudget(clock, this.answerBytesPerMinute),
      notifications,
      signals: new SignalLimiter(clock, notifications),
      frames: new FrameLimiter(clock, this.framesPerMinute),
      capacity: this.capacity,
      resultLimits: this.resultLimits,
      refusedJoins: new RefusedJoins(),
      lobbyLimiter: new LobbyRateLimiter(clock, this.lobbyPerMinute),
    })
  }

  #composeMessaging(
    db: Kysely<MainSchema>,
    domainEvents: DomainEvents,
    parts: Omit<Parameters<typeof composeMessaging>[2], 'lookup'>,
  ): MessagingPart {
    const limits = { Enabled: true, ContactRequestsPerMinute: this.contactRequestsPerMinute }
    const context = {
      config: { Limits: limits, Conferences: { Directory: this.hasDirectory } },
      clock: () => this.now,
      monotonicMs: () => this.now,
      log: createLog('silent'),
      domainEvents,
    }
    const stores = {
      users: userStore(db),
      messages: messageStore(db, { isPushEnabled: this.isPushEnabled }),
      conversations: conversationStore(db),
      contacts: contactStore(db),
      chat: this.chat,
      sessions: sessionStore(db),
    }
    const lookup = new ConferenceLookup(ordinaryConferenceStore(db))
    return composeMessaging(context as Parameters<typeof composeMessaging>[0], stores, { ...parts, lookup })
  }

  /** The account with this name, which the stores know, too. */
  async account(name: string, changes: Partial<User> = {}): Promise<User> {
    const { id, login, displayName, kind } = this.authenticator.user(name)
    const row = { id, login, display_name: displayName, kind, capabilities: '[]', created_at: 0 }
    await this.db
      .insertInto('users')
      .values(row)
      .onConflict(conflict => conflict.doNothing())
      .execute()
    this.authenticator.changeUser(name, changes)
    return this.authenticator.user(name)
  }

  /** Renames an account as `Accounts` does. */
  async rename(name: string, displayName: string): Promise<void> {
    const { id } = this.authenticator.user(name)
    const user = await userStore(this.db).update(id, { displayName })
    if (user) this.domainEvents.publish('account-renamed', { user })
  }

  /** Everybody may call everybody. */
  #composeCalls(
    db: Kysely<MainSchema>,
    parts: Pick<ControlHarness, 'registry' | 'streams' | 'conferences'> & { domainEvents: DomainEvents },
  ): CallsPart {
    const users = {
      find: async (id: number) => [...this.authenticator.users.values()].find(user => user.id === id) ?? null,
    }
    const context = {
      config: { Limits: { Enabled: false }, Conferences: { RingSeconds: 45 } },
      clock: () => this.now,
      log: createLog('silent'),
      domainEvents: parts.domainEvents,
    }
    const stores = {
      calls: callStore(db),
      conferences: ordinaryConferenceStore(db),
      users,
      accessVersion: { read: this.authenticator.accessVersion },
    }
    type Parts = Parameters<typeof composeCalls>
    const gateway = {
      end: parts.conferences.end.bind(parts.conferences),
      listInside: parts.conferences.listInside.bind(parts.conferences),
    }
    const sessions = { ...parts, gateway }
    return composeCalls(context as Parts[0], stores as unknown as Parts[1], sessions as unknown as Parts[2], {
      permissions: {
        listCallable: async (_, userIds) => userIds,
        listBlocked: async () => [],
        listMembers: async () => [],
      },
      presence: { isOffline: userId => !this.streams.accounts.isOpen(userId) },
      isInCallElsewhere: () => false,
      supervision: localSupervision(callStore(db)),
    })
  }

  /** Lets happen what waits for nothing but its turn; time stands. */
  async settle(): Promise<void> {
    for (let idle = 0; idle < 12; idle = this.#running() > 0 ? 0 : idle + 1)
      await new Promise(resolve => setImmediate(resolve))
  }

  /** Moves time second by second, as the server's own timer does. */
  async pass(ms: number): Promise<void> {
    const end = this.now + ms
    while (this.now < end) {
      for (const client of this.#clients) client.pong()
      this.now = Math.min(this.now + 1000, end)
      this.control.tick()
      await this.upkeep.sweep()
      await this.jobs.tick()
      await this.calls.supervisor.tick()
      await this.messaging.tick()
      this.streams.accounts.tick()
      await this.settle()
    }
  }

  client(name: string, joinToken?: string): RawClient {
    const client = new RawClient(this, name, joinToken)
    this.#clients.push(client)
    return client
  }

  /** Logged in and synced. */
  async connect(name: string, joinToken?: string): Promise<RawClient> {
    const client = this.client(name, joinToken)
    await client.login()
    await client.fresh()
    return client
  }

  /** Connected, and inside the conference. */
  async enter(name: string, role: 'moderator' | 'participant' = 'participant'): Promise<RawClient> {
    const client = await this.connect(name, `${role}@${TAG}`)
    await client.join()
    return client
  }

  async close(): Promise<void> {
    for (const store of this.#stores) await store.close()
    await dropDatabaseOf(this.#dir)
    rmSync(this.#dir, { recursive: true })
  }
}

interface Settings {
  isPushEnabled?: boolean
  framesPerMinute?: number
  answerBytesPerMinute?: number
  notificationsPerMinute?: number
  lobbyPerMinute?: ControlHarness['lobbyPerMinute']
  capacity?: Partial<CapacityLimits>
  resultLimits?: Partial<ResultLimits>
  chatRates?: ChatRates
  contactRequestsPerMinute?: number
  hasDirectory?: boolean
  boardStore?: ControlHarness['boardStore']
  isBoardLimited?: boolean
  maxOpenBoardBytes?: number
}

export async function createHarness({
  capacity,
  resultLimits,
  ...settings
}: Settings = {}): Promise<ControlHarness> {
  const harness = new ControlHarness()
  Object.assign(harness, settings)
  Object.assign(harness.capacity, capacity)
  Object.assign(harness.resultLimits, resultLimits)
  onTestFinished(() => harness.close())
  await harness.restart()
  return harness
}
