import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { User } from '../../../accounts/ports.ts'
import { localSupervision } from '../../../compose/cluster/single-server.ts'
import { openMainStore } from '../../../platform/db/open.ts'
import { createLog } from '../../../platform/log.ts'
import { ordinaryConferenceStore } from '../../../sessions/stores/conferences.ts'
import { dropDatabaseOf, mainStoreIn } from '../../../testing/location.ts'
import { callStore } from '../../stores/calls.ts'
import type { Call } from '../call-state.ts'
import { Calls } from '../calls.ts'
import type { CallParts } from '../dependencies.ts'
import { presentCall } from '../present.ts'
import { CallSupervisor } from '../supervisor.ts'

const RING_MS = 45_000

/** Calls with a real store; the test decides about permissions, connections and presence in sessions. */
export class CallHarness {
  readonly #dir = mkdtempSync(join(tmpdir(), 'lectern-calls-'))
  readonly #stores: { close(): Promise<void> }[] = []
  nowMs = 1_700_000_000_000
  /** Pairs `1-2` that may not call each other. */
  readonly strangers = new Set<string>()
  /** Pairs of which one has blocked the other. */
  readonly blocks = new Set<string>()
  readonly members = new Map<string, number[]>()
  readonly offline = new Set<number>()
  readonly deleted = new Set<number>()
  readonly inside = new Map<string, Set<number>>()
  readonly ended: string[] = []
  /** `2: ringing`, in the order of publication. */
  readonly published: string[] = []
  readonly missed: string[] = []
  /** Lines of the supervisor. */
  readonly log: string[] = []
  invitationsLeft = Number.POSITIVE_INFINITY
  accessVersion = 1
  calls!: Calls
  supervisor!: CallSupervisor
  parts!: CallParts
  conferences!: ReturnType<typeof ordinaryConferenceStore>

  static async open(): Promise<CallHarness> {
    const harness = new CallHarness()
    await harness.restart()
    return harness
  }

  /** Starts a new server, as after a kill -9: what was in memory is lost. */
  async restart(): Promise<void> {
    const store = await openMainStore(await mainStoreIn(this.#dir))
    this.#stores.push(store)
    this.conferences = ordinaryConferenceStore(store.db)
    const name = (id: number) => `User ${id}`
    this.parts = {
      store: callStore(store.db),
      supervision: localSupervision(callStore(store.db)),
      permissions: {
        listCallable: async (inviterId, userIds) =>
          userIds.filter(id => !this.strangers.has([inviterId, id].sort().join('-'))),
        listBlocked: async (inviterId, userIds) =>
          userIds.filter(id => this.blocks.has([inviterId, id].sort().join('-'))),
        listMembers: async (tag, userIds) =>
          userIds.filter(id => this.members.get(tag)?.includes(id) ?? false),
      },
      presence: { isOffline: id => this.offline.has(id) },
      sessions: {
        locate: async tag => ({ is: (this.inside.get(tag)?.size ?? 0) > 0 ? 'local' : 'none' }),
        listLive: async tags => new Set(tags.filter(tag => (this.inside.get(tag)?.size ?? 0) > 0)),
        userIdsInside: async tag => new Set(this.inside.get(tag)),
        isInAnotherConference: (userId, tag) =>
          [...this.inside].some(([other, ids]) => other !== tag && ids.has(userId)),
        end: async tag => {
          this.ended.push(tag)
          this.inside.delete(tag)
        },
      },
      conferences: this.conferences,
      users: { find: async id => ({ displayName: name(id), deletedAt: this.deleted.has(id) ? 1 : null }) },
      notifier: {
        changed: (_, call) => void this.published.push(show(call)),
        missed: (userId, count) => void this.missed.push(`${userId}: ${count}`),
      },
      invitations: {
        take: (_, people) => {
          this.invitationsLeft -= people.length
          return this.invitationsLeft < 0 ? 1000 : 0
        },
      },
      clock: () => this.nowMs,
      ringMs: RING_MS,
    }
    this.calls = new Calls(this.parts)
    this.supervisor = new CallSupervisor({
      ...this.parts,
      accessVersion: () => this.accessVersion,
      log: createLog('error', { write: line => void this.log.push(line) }),
    })
  }

  #commands = 0

  invite(
    inviterId: number,
    userIds: number[],
    options: { tag?: string; commandId?: string } = {},
  ): Promise<Call> {
    const { tag = null, commandId = `invite-${++this.#commands}` } = options
    return this.calls.invite(userOf(inviterId), { commandId, userIds, video: true, tag })
  }

  enter(tag: string, ...userIds: number[]): void {
    this.inside.set(tag, new Set([...(this.inside.get(tag) ?? []), ...userIds]))
  }

  leave(tag: string, userId: number): void {
    this.inside.get(tag)?.delete(userId)
  }

  /** Time passes, with a check every second. */
  async pass(seconds: number): Promise<void> {
    for (let i = 0; i < seconds; i++) {
      this.nowMs += 1000
      await this.supervisor.tick()
    }
  }

  async state(call: Call): Promise<string> {
    const found = await this.parts.store.find(call.id)
    return found ? show(found) : 'none'
  }

  async close(): Promise<void> {
    for (const store of this.#stores) await store.close()
    await dropDatabaseOf(this.#dir)
    rmSync(this.#dir, { recursive: true })
  }
}

export const userOf = (id: number, kind: User['kind'] = 'ordinary'): User =>
  ({ id, kind, displayName: `User ${id}`, login: `user${id}` }) as User

/** `state/reason: 2 accepted, 3 ringing` */
function show(call: Call): string {
  const { state, reason, people } = presentCall(call)
  return `${state}${reason ? `/${reason}` : ''}: ${people.map(each => `${each.user_id} ${each.state}`).join(', ')}`
}
