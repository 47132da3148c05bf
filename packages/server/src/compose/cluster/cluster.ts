import type { Keys } from '../../accounts/keys.ts'
import type { DatabaseClock } from '../../cluster/leases/database-clock.ts'
import type { MemberStatus, Members } from '../../cluster/members/members.ts'
import type { ServerQueries } from '../../cluster/requests/server-queries.ts'
import type { ControlServer } from '../../control/control-server.ts'
import type { ControlRelay } from '../../control/routes/relay.ts'
import type { EventBus } from '../../control/streams/event-bus.ts'
import type { EventDelivery } from '../../control/streams/verification.ts'
import type { MediaServer, SfuEvents } from '../../media/ports.ts'
import type { RequestPassing } from '../../media/routes/whip/passing.ts'
import type { CallSupervision } from '../../messaging/calls/ports.ts'
import type { SharedPresence } from '../../messaging/ports.ts'
import type { Gauges } from '../../operations/telemetry/metrics.ts'
import type { ConferenceSessions } from '../../sessions/conference-sessions.ts'
import type { SessionLeases } from '../../sessions/leases.ts'
import type { LiveSessions } from '../../sessions/live-sessions.ts'
import type { SessionPreview } from '../../sessions/participants/participant-preview.ts'
import type { SessionParts } from '../../sessions/ports.ts'
import type { SessionRegistry } from '../../sessions/session-registry.ts'
import type { Stores } from '../stores.ts'

/** How this server works together with the others of its installation. */
export interface Cluster {
  /** This server; without a name if it is the only one. */
  readonly self: { readonly id: string; readonly name: string | null }
  /** All servers and media nodes; none if there is only this server. */
  readonly members: Pick<Members, 'list'>
  /** How far the events of other servers can be relied on. */
  readonly delivery: EventDelivery & { readonly isReliable: boolean }
  /** Asks the other servers for what only they know. */
  readonly queries: ServerQueries
  readonly gauges: Gauges
  /** Events for all servers. `name` names the bus, and is the same on all of them. */
  bus<Event>(name: string): EventBus<Event>
  /** From now on, all servers know the presence of accounts on all servers. */
  sharePresence(presence: SharedPresence): { readonly isComplete: boolean }
  /** Sets what this server reports about itself from now on. */
  reportStatus(status: () => Pick<MemberStatus, 'load' | 'draining'>): void
  /** Rejects with a ConfigError while only servers run that do not accept the secret of this one. */
  assertSharedSecret(): Promise<void>
  /** All servers have one time. */
  adjustClock(clock: DatabaseClock, stores: Pick<Stores, 'main'>): Promise<void>
  /** Which server runs which session. */
  openLeases(stores: Pick<Stores, 'leases' | 'sessions'>): Promise<SessionLeases>
  /** Which server supervises which call. */
  superviseCalls(stores: Pick<Stores, 'calls' | 'callSupervision'>): CallSupervision
  /** Workers of this process, or media nodes. */
  openMedia(events: SfuEvents): Promise<MediaServer>
  /** Parts with which this server continues the sessions of another one. */
  takeover(
    stores: Pick<Stores, 'participants'>,
    media: Pick<MediaServer, 'adoptRoom'>,
  ): Pick<SessionParts, 'participants' | 'takeOverMedia'>
  openGateway(parts: GatewayParts): SessionGateway
  openRelay(keys: Keys, registry: SessionRegistry): RelayPart
  /**
   * Hands the sessions over to other servers before this one stops, or when an operator drains it: then its clients
   * reconnect there, and `/readyz` tells load balancers that it is not ready. It answers requests until it is stopped, or
   * takes sessions again when it is undrained.
   */
  serveHandOver(sessions: Pick<LiveSessions, 'conferences' | 'upkeep'>, control: ControlServer): void
}

/** Actions of other parts on sessions, on the server that runs them. */
export interface SessionGateway
  extends Pick<
    ConferenceSessions,
    | 'end'
    | 'startTranscription'
    | 'stopTranscription'
    | 'reevaluateLobby'
    | 'performForPlatform'
    | 'listInside'
    | 'findInside'
  > {
  /** The people inside; null: nobody, or it is not known at once. */
  preview(tag: string): Promise<SessionPreview | null>
}

export interface GatewayParts {
  conferences: ConferenceSessions
  registry: SessionRegistry
  leases: SessionLeases
}

/** Passes control connections and requests on to the servers that run their conferences; null if there are no others. */
export interface RelayPart {
  relay: ControlRelay | null
  passing: RequestPassing | null
}
