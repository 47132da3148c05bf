import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { Keys } from '../../accounts/keys.ts'
import type { DatabaseClock } from '../../cluster/leases/database-clock.ts'
import { DatabaseLeases } from '../../cluster/leases/database-leases.ts'
import { RemoteMedia } from '../../cluster/media/remote-media.ts'
import { createIdentity, type ServerIdentity } from '../../cluster/members/identity.ts'
import { ClusterMembers, type Member, type MemberStatus } from '../../cluster/members/members.ts'
import { PresenceSync } from '../../cluster/members/presence-sync.ts'
import { assertSharedDatabase, membersElsewhere } from '../../cluster/members/shared-database.ts'
import { ClusterDelivery } from '../../cluster/network/delivery.ts'
import { MessageSignatures } from '../../cluster/network/message-signatures.ts'
import { NatsEventBus } from '../../cluster/network/nats-event-bus.ts'
import { ClusterNetwork } from '../../cluster/network/network.ts'
import { acceptEachOther, assertSharedSecret } from '../../cluster/network/shared-keys.ts'
import type { Relay } from '../../cluster/requests/relay.ts'
import { NetworkQueries, type ServerQueries } from '../../cluster/requests/server-queries.ts'
import type { ControlServer } from '../../control/control-server.ts'
import { presentRoom } from '../../control/media-mapping.ts'
import type { EventBus } from '../../control/streams/event-bus.ts'
import type { MediaServer, SfuEvents } from '../../media/ports.ts'
import type { CallSupervision } from '../../messaging/calls/ports.ts'
import type { SharedPresence } from '../../messaging/ports.ts'
import type { Gauges } from '../../operations/telemetry/metrics.ts'
import { acceptedSecrets } from '../../platform/config/jwt-secrets.ts'
import type { SessionLeases } from '../../sessions/leases.ts'
import type { LiveSessions } from '../../sessions/live-sessions.ts'
import type { SessionRegistry } from '../../sessions/session-registry.ts'

import type { ServerContext } from '../context.ts'
import { startSfu } from '../media.ts'
import type { Stores } from '../stores.ts'
import type { Cluster, GatewayParts, RelayPart, SessionGateway } from './cluster.ts'
import { clusterGauges } from './gauges.ts'
import { serveHandOver } from './hand-over.ts'
import { createRelay } from './relay.ts'
import { createSessionRequests, type LobbyNotice } from './session-requests.ts'
import { noTakeover } from './single-server.ts'

/** A start waits this long for NATS, and continues without it. */
const CONNECT_WAIT_MS = 3_000
const ADJUST_CLOCK_MS = 5_000
const VERIFY_MEMBERS_MS = 5_000
/** Media nodes report themselves twice a second: a server that has just started waits until it knows all. */
const NODES_KNOWN_AFTER_MS = 1_000

/** A server among others, which are connected by NATS and share a database. */
export class NatsCluster implements Cluster {
  readonly self: ServerIdentity
  readonly members: ClusterMembers
  readonly delivery: ClusterDelivery
  readonly queries: ServerQueries
  readonly #context: ServerContext
  readonly #network: ClusterNetwork
  #leases: DatabaseLeases | null = null
  #relay: Relay | null = null
  #report: () => Pick<MemberStatus, 'load' | 'draining'> = () => ({ load: {}, draining: false })

  /** Connects with the other servers. */
  static async connect(context: ServerContext): Promise<NatsCluster> {
    const cluster = new NatsCluster(context)
    await cluster.#network.start(CONNECT_WAIT_MS)
    return cluster
  }

  private constructor(context: ServerContext) {
    const { config, version, clock, log, tracing, lifetime } = context
    const { Nats, NatsCa, Namespace, Name, Advertise, Region } = config.Cluster
    const keys = new Keys(config.Server.JwtSecret, acceptedSecrets(config.Server), clock)
    const self = createIdentity({ name: Name, advertise: Advertise, region: Region, version })
    const settings = { addresses: Nats, ca: NatsCa, namespace: Namespace, name: `lectern ${Name}` }
    const signatures = new MessageSignatures(keys)
    const network = new ClusterNetwork({ ...settings, self: self.id, signatures, log, tracing })
    lifetime.own('cluster network', network, each => each.stop())
    const members = new ClusterMembers({ network, self, role: 'server', status: () => this.#status(keys) })
    lifetime.own('cluster members', members, each => each.stop())
    this.#context = context
    this.self = self
    this.#network = network
    this.members = members
    this.queries = new NetworkQueries(network, members, self.id)
    members.onJoined(member => this.#reportJoined(member))
    members.onGone(({ id, role }) =>
      log.warn({ member: id, role }, 'a member of the cluster is gone: others take over what it ran'),
    )
    log.info({ server: self.id, advertise: self.advertise }, 'this server is a member of a cluster')
    this.delivery = new ClusterDelivery(network, members)
  }

  get gauges(): Gauges {
    return clusterGauges(this.#network, this.members, this.self.id, this.#relay)
  }

  bus<Event>(name: string): EventBus<Event> {
    const canSendLists = () => this.members.list('server').every(each => each.receivesEventLists)
    return new NatsEventBus(this.#network, { self: this.self.id, name, canSendLists })
  }

  sharePresence(presence: SharedPresence): { readonly isComplete: boolean } {
    const { log, lifetime } = this.#context
    const parts = { network: this.#network, members: this.members, self: this.self.id, presence, log }
    return lifetime.own('presence of other servers', new PresenceSync(parts), each => each.stop())
  }

  reportStatus(status: () => Pick<MemberStatus, 'load' | 'draining'>): void {
    this.#report = status
  }

  assertSharedSecret(): Promise<void> {
    const others = () => this.members.list('server').filter(({ id }) => id !== this.self.id)
    return assertSharedSecret(
      () => this.#own,
      others,
      () => this.#network.strangers,
    )
  }

  /** The database's time. */
  async adjustClock(clock: DatabaseClock, { main }: Pick<Stores, 'main'>): Promise<void> {
    const { scheduler, log } = this.#context
    const readDatabase = async () => {
      const { rows } = await sql<{ now: number }>`SELECT ${main.dialect.nowMs} AS now`.execute(main.db)
      return Number(rows[0]?.now)
    }
    const adjust = () => clock.adjust(readDatabase)
    await adjust()
    scheduler.add({
      everyMs: ADJUST_CLOCK_MS,
      // Whether the database answers is reported by the leases.
      run: () => adjust().catch(error => log.debug({ err: error }, 'the clock of the database was not read')),
      onFailure: 'the clock of the database was not read',
    })
  }

  async openLeases({ leases: store }: Pick<Stores, 'leases'>): Promise<SessionLeases> {
    const { id, advertise: address } = this.self
    const reachesStore = () =>
      this.members.list('server').some(each => each.id !== id && each.isStoreReachable)
    const leases = new DatabaseLeases({
      store,
      server: { id, address },
      mayReachStore: others =>
        !this.#network.isConnected || others.some(other => !this.members.get(other)) || reachesStore(),
      monotonicMs: () => performance.now(),
      log: this.#context.log,
    })
    this.#leases = leases
    this.delivery.expectServers(() => leases.others)
    await leases.renew()
    await this.#assertSharedDatabase(leases)
    this.#context.scheduler.addHourly({
      run: () => leases.sweep(),
      onFailure: 'dead servers could not be deleted',
    })
    return leases
  }

  superviseCalls({ callSupervision }: Pick<Stores, 'callSupervision'>): CallSupervision {
    return callSupervision(this.self.id)
  }

  async openMedia(events: SfuEvents): Promise<MediaServer> {
    const { config, log, lifetime } = this.#context
    if (!config.Cluster.MediaNodes) return startSfu(this.#context, events)
    const parts = { network: this.#network, members: this.members, self: this.self, events, log }
    return lifetime.own('media on media nodes', new RemoteMedia(parts), each => each.stop())
  }

  /** Only media on media nodes continues without its server. */
  takeover(
    { participants }: Pick<Stores, 'participants'>,
    media: Pick<MediaServer, 'adoptRoom'>,
  ): typeof noTakeover {
    const { config, scheduler, log } = this.#context
    if (!config.Cluster.MediaNodes) return noTakeover
    scheduler.addHourly({
      run: () => participants.sweep(),
      onFailure: 'participants of sessions that have ended could not be deleted',
    })
    const startedAtMs = performance.now()
    return {
      participants,
      takeOverMedia: async room => {
        await sleep(Math.max(0, startedAtMs + NODES_KNOWN_AFTER_MS - performance.now()))
        const description = await media.adoptRoom(room)
        if (!description) return null
        const { members, publications } = description
        const size = { members: members.length, publications: publications.length }
        log.info(
          { conference_session_id: room.sessionId, ...size },
          'a session continues here with its media',
        )
        return presentRoom(description)
      },
    }
  }

  openGateway(parts: GatewayParts): SessionGateway {
    const lobbies = this.bus<LobbyNotice>('lobbies')
    return createSessionRequests(this.#context, {
      ...parts,
      network: this.#network,
      self: this.self.id,
      lobbies,
    })
  }

  openRelay(keys: Keys, registry: SessionRegistry): RelayPart {
    if (!keys.configured) return { relay: null, passing: null }
    const { members, self: identity } = this
    const parts = createRelay(this.#context, { network: this.#network, members, identity, registry, keys })
    this.#relay = parts.relay
    return parts
  }

  serveHandOver(sessions: Pick<LiveSessions, 'conferences' | 'upkeep'>, control: ControlServer): void {
    serveHandOver(this.#context, sessions, { network: this.#network, self: this.self.id, control })
  }

  async #assertSharedDatabase(leases: DatabaseLeases): Promise<void> {
    const elsewhere = () =>
      membersElsewhere(this.members.list('server'), { id: this.self.id, knows: leases.others })
    try {
      await assertSharedDatabase(async () => {
        if (elsewhere().length > 0) await leases.renew()
        return elsewhere()
      })
    } catch (error) {
      await leases.releaseAll()
      throw error
    }
    const { scheduler, log } = this.#context
    const [seen, reported] = [new Set<string>(), new Set<string>()]
    // One that comes later, such as with NATS after both have started.
    scheduler.add({
      everyMs: VERIFY_MEMBERS_MS,
      run: () => {
        const ids = elsewhere().map(({ id }) => id)
        for (const member of ids.filter(id => seen.has(id) && !reported.has(id))) {
          reported.add(member)
          log.error({ member }, 'a server has another database: people of two installations are mixed')
        }
        seen.clear()
        for (const id of ids) seen.add(id)
      },
      onFailure: 'the databases of members could not be verified',
    })
  }

  get #own(): Member {
    return this.members.get(this.self.id) as Member
  }

  #status(keys: Keys): MemberStatus {
    const isStoreReachable = this.#leases?.isStoreReachable ?? true
    const isRegistered = isStoreReachable && typeof this.#leases?.owner === 'string'
    return { ...this.#report(), isStoreReachable, isRegistered, keyIds: keyIdsOf(keys) }
  }

  #reportJoined(member: Member): void {
    const { id, version, role } = member
    const { log } = this.#context
    log.info({ member: id, role, version }, 'a member joined')
    if (!acceptEachOther(this.#own, member))
      log.error(
        { member: id },
        'a member has another [Server] JwtSecret: people cannot reach its sessions from here; all need the same one',
      )
  }
}

/** Secrets are recognised by them, and not found out. */
const keyIdsOf = (keys: Keys): string[] =>
  keys.configured ? keys.deriveAccepted('cluster member').map(key => key.toString('hex', 0, 8)) : []
