import { Observable, type Readable } from '@lectern/common'
import type { RoomEvent } from '@lectern/embed/messages'
import type { Route } from '../site/router.ts'

/** The part of this page's state that the embedding page may know. */
export type RoomStatus =
  | { is: 'outside' }
  | { is: 'joined'; participants: number; recording: boolean; microphone: boolean; camera: boolean }
  | { is: 'over'; reason: string }
  | { is: 'failed'; code: string }

const OUTSIDE: RoomStatus = { is: 'outside' }

/** The session is over for everybody. */
const ENDS = new Set(['ended', 'closed', 'cancelled'])

/** Links of rooms that are over. */
const ENDED_LINKS: Record<string, string> = { room_closed: 'closed', room_cancelled: 'cancelled' }

/** Follows the page, its visit, its call and its devices, whichever are current. */
export class RoomStatusObserver extends Observable<RoomStatus> {
  readonly #route: Readable<Route>
  #sources: Readable<unknown>[] = []
  #unsubscribe: (() => void)[] = []

  constructor(route: Readable<Route>) {
    super(OUTSIDE)
    this.#route = route
    this.#update()
  }

  readonly #update = (): void => {
    const sources = sourcesOf(this.#route)
    if (sources.length !== this.#sources.length || sources.some(each => !this.#sources.includes(each))) {
      for (const unsubscribe of this.#unsubscribe.splice(0)) unsubscribe()
      this.#sources = sources
      this.#unsubscribe = sources.map(each => each.subscribe(this.#update))
    }
    this.set(readStatus(this.#route.get()))
  }
}

function sourcesOf(route: Readable<Route>): Readable<unknown>[] {
  const here = route.get()
  if (here.is !== 'visit') return [route]
  const { visit } = here
  const state = visit.get()
  const { microphone, camera } = visit.devices
  return [route, visit, visit.link, microphone, camera, ...(state.is === 'room' ? [state.room.call] : [])]
}

function readStatus(here: Route): RoomStatus {
  if (here.is === 'not-found') return { is: 'failed', code: 'not_found' }
  if (here.is !== 'visit') return OUTSIDE
  const { visit } = here
  const state = visit.get()
  if (state.is === 'failed') return { is: 'failed', code: 'page_failed' }
  if (state.is !== 'room') return readLink(visit.link.get())
  const call = state.room.call.get()
  if (call.is === 'ended') return { is: 'over', reason: call.reason }
  if (call.is !== 'joined') return OUTSIDE
  const { microphone, camera } = visit.devices
  return {
    is: 'joined',
    participants: call.session.participants.length,
    recording: call.session.recording,
    microphone: microphone.get().is === 'on',
    camera: camera.get().is === 'on',
  }
}

type LinkState = ReturnType<Extract<Route, { is: 'visit' }>['visit']['link']['get']>

function readLink(link: LinkState): RoomStatus {
  if (link.is === 'waiting') return { is: 'failed', code: link.problem }
  if (link.is !== 'refused') return OUTSIDE
  const ended = ENDED_LINKS[link.reason]
  return ended ? { is: 'over', reason: ended } : { is: 'failed', code: link.reason }
}

/** The events that lead from one status to the next. */
export function eventsBetween(before: RoomStatus, after: RoomStatus): RoomEvent[] {
  if (before.is === 'joined') return after.is === 'joined' ? changes(before, after) : leaving(after)
  switch (after.is) {
    case 'joined': {
      const { is: _, ...facts } = after
      return [{ name: 'joined', ...facts }]
    }
    case 'over':
      if (before.is === 'over' && before.reason === after.reason) return []
      return endings(after.reason)
    case 'failed':
      return before.is === 'failed' && before.code === after.code ? [] : [{ name: 'error', code: after.code }]
    case 'outside':
      return []
  }
}

type Joined = Extract<RoomStatus, { is: 'joined' }>

function changes(before: Joined, { participants, recording, microphone, camera }: Joined): RoomEvent[] {
  const events: RoomEvent[] = []
  if (participants !== before.participants) events.push({ name: 'participants', participants })
  if (recording !== before.recording) events.push({ name: 'recording', recording })
  if (microphone !== before.microphone || camera !== before.camera)
    events.push({ name: 'devices', microphone, camera })
  return events
}

function leaving(after: RoomStatus): RoomEvent[] {
  if (after.is === 'over') return [{ name: 'left', reason: after.reason }, ...endings(after.reason)]
  const left: RoomEvent = { name: 'left', reason: 'left' }
  return after.is === 'failed' ? [left, { name: 'error', code: after.code }] : [left]
}

/** Leaving and being removed are not errors, and the session continues. */
function endings(reason: string): RoomEvent[] {
  if (ENDS.has(reason)) return [{ name: 'ended', reason }]
  return reason === 'left' || reason === 'removed' ? [] : [{ name: 'error', code: reason }]
}
