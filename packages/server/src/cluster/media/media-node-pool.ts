import { Emitter, interruptibleSleep } from '@lectern/common'
import { Refusal } from '@lectern/protocol'
import type { Logger } from 'pino'
import type { Members } from '../members/members.ts'
import type { ClusterNetwork } from '../network/network.ts'
import { isNoResponder, NetworkError } from '../network/network-error.ts'
import { chooseNode, type Presence } from './node-placement.ts'
import { type NodeRequestName, type NodeRequests, nodeSubject } from './protocol.ts'

interface MediaNodesParts {
  network: ClusterNetwork
  members: Members
  /** Nodes of this region are preferred; empty: none. */
  region: string
  log: Logger
}

const REQUEST_TIMEOUT_MS = 8_000
/** A node that does not answer may be connecting to NATS again: it gets this long to do so. */
const CONFIRM_AFTER_MS = 500
/** After NATS was away, the nodes connect a little earlier or later than this server. */
const RECONNECT_GRACE_MS = 3_000
/** How long a node that has died is not chosen; until then the others have noticed it, too. */
const EXCLUDED_MS = 5_000

export interface NodeWishes {
  /** Absent: that of this server. */
  region?: string | undefined
  except?: ReadonlySet<string> | undefined
  presence?: Presence | undefined
}

const NO_PRESENCE: Presence = { participants: new Map(), publications: 0 }

/** The media nodes, as a server sees them: which is chosen, which is gone, and requests to each. */
export class MediaNodePool {
  readonly #parts: MediaNodesParts
  readonly #gone = new Emitter<string>()
  readonly #joined = new Emitter<string>()
  readonly #changed = new Emitter<void>()
  readonly #closers: (() => void)[]
  readonly #stopping = new AbortController()
  /** Rejects the requests to a node that are under way. */
  readonly #pending = new Map<string, Set<(error: Error) => void>>()
  readonly #suspected = new Set<string>()
  readonly #excludedUntilMs = new Map<string, number>()
  /** Consumers placed since the node's last report. */
  readonly #placed = new Map<string, { report: object; consumers: number }>()
  #connectedAtMs = performance.now()

  constructor(parts: MediaNodesParts) {
    this.#parts = parts
    const { members, network } = parts
    this.#closers = [
      members.onJoined(({ id, role }) => {
        if (role !== 'media-node') return
        this.#joined.emit(id)
        this.#changed.emit()
      }),
      members.onGone(({ id, role }) => role === 'media-node' && this.#remove(id)),
      network.onReconnect(() => {
        this.#connectedAtMs = performance.now()
      }),
    ]
  }

  /** Runs once a node is gone: its media is lost, or the node will close it. */
  readonly onGone = this.#gone.on

  /** Runs before anything is placed on a node that has started, or is there again after it was gone. */
  readonly onJoined = this.#joined.on

  get ids(): string[] {
    return this.#parts.members.list('media-node').map(({ id }) => id)
  }

  /** The configured name of the node; its id if it has gone. */
  nameOf(nodeId: string): string {
    return this.#parts.members.get(nodeId)?.name ?? nodeId
  }

  isDraining(nodeId: string): boolean {
    return this.#parts.members.get(nodeId)?.draining === true
  }

  /** The sum of a measurement over all nodes. */
  sumOf(name: string): number {
    return this.#parts.members.list('media-node').reduce((sum, { load }) => sum + (load[name] ?? 0), 0)
  }

  /** The best node for a session. Waits for one; rejects with `media_no_worker` when none comes in time. */
  async choose(wishes: NodeWishes, deadlineMs: number): Promise<string> {
    for (;;) {
      const chosen = this.chooseNow(wishes)
      if (chosen) return chosen
      const leftMs = deadlineMs - performance.now()
      if (leftMs <= 0 || this.#stopping.signal.aborted)
        throw new Refusal('media_no_worker', 'No media node is available; try again.')
      await this.#nextChange(Math.min(leftMs, CONFIRM_AFTER_MS))
    }
  }

  /** The best node for a participant, or for a session that has nothing on any node; null when there is none. */
  chooseNow({ region = this.#parts.region, except, presence = NO_PRESENCE }: NodeWishes): string | null {
    const nowMs = performance.now()
    const node = chooseNode(this.#parts.members.list('media-node'), {
      ...presence,
      region,
      excluded: id => except?.has(id) || (this.#excludedUntilMs.get(id) ?? 0) > nowMs,
      placedOn: id => this.#placedOn(id),
    })
    return node?.id ?? null
  }

  /** Counts consumers as placed on the node until it reports its load again. */
  addPlaced(nodeId: string, consumers: number): void {
    const report = this.#parts.members.get(nodeId)?.load
    if (report) this.#placed.set(nodeId, { report, consumers: this.#placedOn(nodeId) + consumers })
  }

  /** Sent before it returns, so that requests arrive in the order of the calls. Rejects at once when the node is gone. */
  request<N extends NodeRequestName>(
    nodeId: string,
    name: N,
    body: NodeRequests[N][0],
    timeoutMs = REQUEST_TIMEOUT_MS,
  ): Promise<NodeRequests[N][1]> {
    return new Promise((resolve, reject) => {
      const pending = this.#pending.get(nodeId) ?? new Set()
      this.#pending.set(nodeId, pending.add(reject))
      this.#parts.network
        .request(nodeSubject(nodeId), { name, body }, timeoutMs)
        .then(answer => resolve(answer as NodeRequests[N][1]))
        .catch(error => {
          if (isNoResponder(error)) void this.#suspect(nodeId)
          reject(error)
        })
        .finally(() => {
          pending.delete(reject)
          if (pending.size === 0 && this.#pending.get(nodeId) === pending) this.#pending.delete(nodeId)
        })
    })
  }

  stop(): void {
    this.#stopping.abort()
    for (const close of this.#closers.splice(0)) close()
    this.#changed.emit()
  }

  /** A new report is another object, and includes the sessions placed before. */
  #placedOn(nodeId: string): number {
    const placed = this.#placed.get(nodeId)
    return placed && placed.report === this.#parts.members.get(nodeId)?.load ? placed.consumers : 0
  }

  async #suspect(nodeId: string): Promise<void> {
    if (this.#suspected.has(nodeId)) return
    this.#suspected.add(nodeId)
    try {
      await interruptibleSleep(CONFIRM_AFTER_MS, this.#stopping.signal)
      const { network } = this.#parts
      const isTrusted = network.isConnected && performance.now() - this.#connectedAtMs > RECONNECT_GRACE_MS
      if (!isTrusted || this.#stopping.signal.aborted) return
      await network.request(nodeSubject(nodeId), { name: 'ping', body: {} }, REQUEST_TIMEOUT_MS)
    } catch (error) {
      if (isNoResponder(error)) this.#remove(nodeId)
    } finally {
      this.#suspected.delete(nodeId)
    }
  }

  #remove(nodeId: string): void {
    for (const [id, untilMs] of this.#excludedUntilMs)
      if (untilMs < performance.now()) this.#excludedUntilMs.delete(id)
    this.#excludedUntilMs.set(nodeId, performance.now() + EXCLUDED_MS)
    this.#placed.delete(nodeId)
    for (const reject of this.#pending.get(nodeId) ?? []) reject(new NetworkError('no_responder'))
    this.#gone.emit(nodeId)
  }

  #nextChange(timeoutMs: number): Promise<void> {
    return new Promise(resolve => {
      const end = () => {
        clearTimeout(timer)
        off()
        resolve()
      }
      const timer = setTimeout(end, timeoutMs)
      const off = this.#changed.on(end)
    })
  }
}
