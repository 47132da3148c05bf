import { RunningWork, tryEach } from '@lectern/common'
import type { Boards } from './board/boards.ts'
import type { ConferenceSessions, RuntimeParts } from './conference-sessions.ts'
import type { LeasedSession } from './leases.ts'
import { isDue, sweep } from './lifecycle/ending.ts'
import type { Admissions } from './lobby/admissions.ts'
import type { Participants } from './participants/participants.ts'
import { unlessLost } from './refusals.ts'
import type { Reports } from './reports.ts'

interface ActingParts {
  conferences: ConferenceSessions
  participants: Participants
  admissions: Admissions
  reports: Reports
  boards: Boards | null
}

/** Upkeep of sessions without a request: ends, leases, sessions that nobody runs, and the hand-over to other servers. */
export class Upkeep {
  readonly #parts: RuntimeParts
  readonly #acting: ActingParts
  readonly #openingVacant = new RunningWork()

  constructor(parts: RuntimeParts, acting: ActingParts) {
    this.#parts = parts
    this.#acting = acting
  }

  /** Ends what is due. MUST be called about every second, which also retries failures. */
  async sweep(): Promise<void> {
    const { conferences, participants, admissions, reports, boards } = this.#acting
    const due = this.#parts.registry.held.filter(session => isDue(this.#parts, session))
    const work = [
      ...due.map(
        session => () =>
          conferences
            .change(session, () => sweep(this.#parts, session))
            .catch(unlessLost)
            .catch(naming(session.id)),
      ),
      ...admissions.due().map(tag => () => conferences.run(tag, () => admissions.sweep(tag))),
      ...admissions
        .withoutSession()
        .map(tag => () => conferences.run(tag, () => conferences.checkWaiters(tag))),
      async () => reports.applyPostponed(),
      () => participants.makePostponed(),
      async () => boards?.pages.sweep(),
    ]
    await tryEach(work, run => run(), { atOnce: work.length })
  }

  /** Sessions whose lease is lost stop here at once. MUST be called about every second, even while other upkeep takes longer. */
  async renewLeases(): Promise<void> {
    const lost = await this.#parts.registry.renewLeases()
    await Promise.all(lost.map(session => this.#acting.conferences.lose(session)))
  }

  /**
   * Runs the sessions of dead servers: their people join again, or they end after the grace time. One that cannot be opened
   * becomes vacant again, and after all others were tried the promise rejects. MUST be called about every second.
   */
  async openVacant(): Promise<void> {
    // All are acquired before the first is opened: until then, nobody runs them.
    const vacant: LeasedSession[] = []
    for (let more = await this.#acquireVacant(); more.length > 0; more = await this.#acquireVacant())
      vacant.push(...more)
    await this.#openAll(vacant)
  }

  /** Runs a batch of vacant sessions: as many as are acquired at once. */
  async openSomeVacant(): Promise<void> {
    await this.#openAll(await this.#acquireVacant())
  }

  /**
   * Hands all sessions over to other servers: what runs is finished first, then nothing begins any more. Their clients
   * connect again.
   */
  async handOver(): Promise<void> {
    const { conferences } = this.#acting
    const { registry } = this.#parts
    conferences.stop()
    await this.#openingVacant.settled() // or this server would acquire again what it gives up
    await Promise.all(
      registry.all.map(session => conferences.run(session.tag, () => conferences.lose(session))),
    )
    await registry.releaseAll()
  }

  /** Takes part again after `handOver`. */
  async resume(): Promise<void> {
    await this.#parts.registry.resumeLeases()
    this.#acting.conferences.resume()
  }

  /** Whether this server opens no session any more. */
  get isHandedOver(): boolean {
    return this.#acting.conferences.isStopped
  }

  async #acquireVacant(): Promise<LeasedSession[]> {
    return this.isHandedOver ? [] : this.#openingVacant.add(this.#parts.registry.listVacant())
  }

  #openAll(vacant: LeasedSession[]): Promise<void> {
    const { conferences } = this.#acting
    const open = async (leased: LeasedSession) => {
      if (this.isHandedOver) return // what was acquired is released with everything else
      await conferences
        .run(leased.stored.tag, () => conferences.openVacant(leased))
        .catch(unlessLost)
        .catch(naming(leased.stored.sessionId))
    }
    return this.#openingVacant.add(tryEach(vacant, open, { atOnce: vacant.length }))
  }
}

/** The log writes enumerable properties of an error, so that the line names the session. */
const naming =
  (id: number) =>
  (error: unknown): never => {
    throw error instanceof Error ? Object.assign(error, { conference_session_id: id }) : error
  }
