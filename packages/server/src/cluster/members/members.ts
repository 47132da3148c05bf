import { Emitter } from '@lectern/common'
import type { ClusterNetwork } from '../network/network.ts'
import type { ServerIdentity } from './identity.ts'

export type MemberRole = 'server' | 'media-node'

/** The report of a member about itself. */
export interface MemberStatus {
  /** Measurements by name, such as `cpu` (0 to 1) and `sessions`. */
  load: Record<string, number>
  /** The member takes no new sessions. */
  draining: boolean
  /** Whether it reaches the database; media nodes do not use it. */
  isStoreReachable: boolean
  /** Whether it is registered in its database, where the servers that share it find it. */
  isRegistered?: boolean
  /** Ids of the secrets that it accepts, its own first. Media nodes have none. */
  keyIds?: readonly string[]
}

export interface Member extends ServerIdentity, MemberStatus {
  role: MemberRole
  /** False of older versions, too. */
  isRegistered: boolean
  /** Empty: unknown, or none. */
  keyIds: readonly string[]
  /** Whether it understands events for several topics; older versions do not. */
  receivesEventLists: boolean
}

/** The servers and media nodes of the installation. A hint: missing ones may still run. */
export interface Members {
  /** In the order of their ids, this one included. */
  list(role?: MemberRole): Member[]
  get(id: string): Member | undefined
  /** A member was seen for the first time, or again after it was gone. */
  onJoined(handler: (member: Member) => void): () => void
  /** Calls the handler when a member has stopped, or did not report itself for two seconds over a working network. */
  onGone(handler: (member: Member) => void): () => void
}

interface MembersParts {
  network: ClusterNetwork
  self: ServerIdentity
  role: MemberRole
  status: () => MemberStatus
}

export const ALIVE_INTERVAL_MS = 500
export const GONE_AFTER_MS = 2_000
/** Members that are kept; more are a defect, or somebody else's messages. */
const MEMBERS_MAX = 1_000

/** Members report themselves as `alive.ID`. */
export const ALIVE = 'alive'

/** The members that report themselves over the network, each twice a second. */
export class ClusterMembers implements Members {
  readonly #parts: MembersParts
  readonly #members = new Map<string, { member: Member; seenAtMs: number }>()
  readonly #joined = new Emitter<Member>()
  readonly #gone = new Emitter<Member>()
  readonly onJoined = this.#joined.on
  readonly onGone = this.#gone.on
  readonly #closers: (() => void)[]
  /** When the own report came back last: until then, the silence of others says nothing. */
  #echoAtMs = Number.NEGATIVE_INFINITY

  constructor(parts: MembersParts) {
    this.#parts = parts
    const { network } = parts
    const timer = setInterval(() => this.#tick(), ALIVE_INTERVAL_MS)
    this.#closers = [
      () => clearInterval(timer),
      network.subscribe(`${ALIVE}.*`, (message, { from }) => this.#receive(message, from)),
      network.onReconnect(() => this.#onReconnect()),
      network.onIntroduced(() => this.#report()),
    ]
    this.#report()
  }

  list(role?: MemberRole): Member[] {
    const all = [this.#self(), ...[...this.#members.values()].map(({ member }) => member)]
    return all.filter(each => !role || each.role === role).sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  get(id: string): Member | undefined {
    return id === this.#parts.self.id ? this.#self() : this.#members.get(id)?.member
  }

  /** The others learn at once that this member is gone. */
  stop(): void {
    for (const close of this.#closers.splice(0)) close()
    this.#parts.network.publish(`${ALIVE}.${this.#parts.self.id}`, { ...this.#self(), leaving: true })
  }

  #self(): Member {
    return {
      ...this.#parts.self,
      role: this.#parts.role,
      isRegistered: false,
      keyIds: [],
      ...this.#parts.status(),
      receivesEventLists: true,
    }
  }

  #report(): void {
    this.#parts.network.publish(`${ALIVE}.${this.#parts.self.id}`, this.#self())
  }

  #tick(): void {
    this.#report()
    const nowMs = performance.now()
    if (nowMs - this.#echoAtMs > GONE_AFTER_MS / 2) return
    for (const { member, seenAtMs } of [...this.#members.values()])
      if (nowMs - seenAtMs > GONE_AFTER_MS) this.#remove(member)
  }

  /** Everybody gets the time to report again. */
  #onReconnect(): void {
    const nowMs = performance.now()
    for (const each of this.#members.values()) each.seenAtMs = nowMs
    this.#report()
  }

  #receive(message: unknown, from: string): void {
    const nowMs = performance.now()
    if (from === this.#parts.self.id) {
      // After a silence of the network, the others are not judged by it.
      if (nowMs - this.#echoAtMs > GONE_AFTER_MS / 2)
        for (const each of this.#members.values()) each.seenAtMs = nowMs
      this.#echoAtMs = nowMs
      return
    }
    const member = memberOf(message, from)
    if (!member) return
    const known = this.#members.get(from)
    if ((message as { leaving?: boolean }).leaving) {
      if (known) this.#remove(known.member)
      return
    }
    if (!known && this.#members.size >= MEMBERS_MAX) return
    this.#members.set(from, { member, seenAtMs: nowMs })
    if (!known) {
      this.#joined.emit(member)
      this.#report() // so that a new member knows this one at once
    }
  }

  #remove(member: Member): void {
    this.#members.delete(member.id)
    this.#gone.emit(member)
  }
}

/** Null for a report that cannot be understood. Fields of newer versions are dropped. */
export function memberOf(message: unknown, from: string): Member | null {
  const { id, name, advertise, region, version, role, ...status } = (message ?? {}) as Partial<Member>
  const { load, draining, isStoreReachable, isRegistered, keyIds, receivesEventLists } = status
  if (id !== from || (role !== 'server' && role !== 'media-node')) return null
  const texts = [name, advertise, region, version]
  if (texts.some(each => typeof each !== 'string')) return null
  return {
    id,
    name: name as string,
    advertise: advertise as string,
    region: region as string,
    version: version as string,
    role,
    load: typeof load === 'object' && load !== null ? load : {},
    draining: draining === true,
    isStoreReachable: isStoreReachable !== false,
    isRegistered: isRegistered === true,
    keyIds: Array.isArray(keyIds) ? keyIds.filter(each => typeof each === 'string') : [],
    receivesEventLists: receivesEventLists === true,
  }
}
