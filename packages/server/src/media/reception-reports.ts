import { Endpoint } from './endpoint.ts'
import type { Reception } from './ports.ts'
import { combine, type LevelOfOne } from './reception.ts'
import { type Member, participantRef, type RoomState } from './room-state.ts'
import { repeatUndecodable } from './undecodable.ts'

const REPORT_INTERVAL_MS = 1_000

/** Reports to each participant what a slow connection keeps it from receiving, and what others cannot decode. */
export class ReceptionReports {
  readonly #room: RoomState
  /** The participants who were limited in the last report. */
  readonly #limited = new WeakSet<Member>()
  #timer: NodeJS.Timeout | undefined

  constructor(room: RoomState) {
    this.#room = room
  }

  /** Safe to repeat. */
  start(): void {
    this.#timer ??= setInterval(() => this.#report(), REPORT_INTERVAL_MS).unref()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #report(): void {
    for (const member of this.#room.members.values()) {
      if (member.endpoint instanceof Endpoint) repeatUndecodable(this.#room, member.endpoint)
      const reception = receptionBy(member)
      if (!reception) continue
      const isLimited = Object.values(reception).some(level => level !== null && level !== 'full')
      if (isLimited || this.#limited.has(member))
        this.#room.events.reception(participantRef(this.#room, member), reception)
      if (isLimited) this.#limited.add(member)
      else this.#limited.delete(member)
    }
  }
}

/** Null for observers, who receive everything. */
function receptionBy({ endpoint }: Member): Reception | null {
  if (!(endpoint instanceof Endpoint)) return null
  const levels: Record<keyof Reception, LevelOfOne[]> = { camera: [], screen: [] }
  for (const { source, reception } of endpoint.subscriptions.values())
    if (reception && (source === 'camera' || source === 'screen')) levels[source].push(reception)
  return { camera: combine(levels.camera), screen: combine(levels.screen) }
}
