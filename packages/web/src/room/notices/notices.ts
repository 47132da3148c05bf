import { type Lifetime, Observable } from '@lectern/common'
import type { Readable, SessionView } from '@lectern/control-client'
import type { Call } from '../../call/call.ts'
import type { MutedBy } from '../../call/media/local-media.ts'
import { type OwnPermissions, permissionsOf } from '../../call/own-permissions.ts'
import type { Devices } from '../../devices/devices.ts'
import type { Input } from '../../devices/input.ts'
import type { ServiceSwitch } from '../service/service.ts'
import type { StageState } from '../stage/stage-view.ts'
import { tileIdOf } from '../stage/tiles/tiles.ts'
import { RejoinGrace } from './rejoin-grace.ts'
import { handEvents, permissionEvents, type RoomEvent, roomEventsOf, spotlightEvents } from './room-events.ts'

export interface Notice {
  id: number
  event: RoomEvent
}

interface Sources {
  call: Call
  devices: Devices
  recording: ServiceSwitch
  transcription: ServiceSwitch
  stage: Readable<Pick<StageState, 'rects'>>
}

const SHOWN_FOR_MS = 7_000
const MAX_NOTICES = 3

/** The recent events of the room: others' first, then those about this user, each newest last. */
export class Notices extends Observable<readonly Notice[]> {
  readonly #call: Call
  readonly #stage: Sources['stage']
  readonly #grace: RejoinGrace
  #newestReaction = 0
  #count = 0
  #session: SessionView | null = null
  #permissions: OwnPermissions | null = null
  #mutedBy: MutedBy
  readonly #timers = new Set<ReturnType<typeof setTimeout>>()

  constructor({ call, devices, recording, transcription, stage }: Sources, lifetime: Lifetime) {
    super([])
    const { camera, microphone } = devices
    this.#call = call
    this.#stage = stage
    this.#grace = new RejoinGrace(lifetime, () => this.#onCall())
    this.#mutedBy = call.local.get()
    lifetime.defer(call.subscribe(() => this.#onCall()))
    lifetime.defer(call.local.subscribe(() => this.#onMutes()))
    lifetime.defer(call.reactions.subscribe(() => this.#onReactions()))
    for (const input of [camera, microphone]) this.#observeDevice(input, lifetime)
    for (const service of [recording, transcription])
      lifetime.defer(service.subscribe(() => this.#onService(service)))
    lifetime.defer(() => this.#timers.forEach(clearTimeout))
  }

  /** Before its time is over. */
  readonly dismiss = (id: number): void => this.set(this.get().filter(each => each.id !== id))

  #onCall(): void {
    const state = this.#call.get()
    if (state.is !== 'joined') return
    const before = this.#session
    const { participant_id } = state.me
    const after = this.#grace.complete(before, state.session, participant_id)
    this.#session = after
    const { removedIds, wantsHandUp } = this.#call.actions
    for (const event of roomEventsOf(before, after, participant_id, removedIds)) this.#add(event)
    for (const event of handEvents(before, after, participant_id, wantsHandUp)) this.#add(event)
    for (const event of spotlightEvents(before, after, state.me.user_id)) this.#add(event)
    const permissions = permissionsOf(state.session, state.me)
    for (const event of permissionEvents(this.#permissions, permissions)) this.#add(event)
    this.#permissions = permissions
  }

  /** Reactions of people without a visible tile; the others are on the tiles. */
  #onReactions(): void {
    for (const { id, participantId, reaction } of this.#call.reactions.get()) {
      if (id <= this.#newestReaction) continue
      this.#newestReaction = id
      const by = this.#nameOf(participantId)
      if (by && !this.#stage.get().rects.has(tileIdOf('person', participantId)))
        this.#add({ is: 'reacted', by, reaction })
    }
  }

  #onService(service: ServiceSwitch): void {
    const state = service.get()
    if (state.is === 'refused') this.#add({ is: 'serviceRefused', reason: state.reason })
  }

  #onMutes(): void {
    const before = this.#mutedBy
    this.#mutedBy = this.#call.local.get()
    for (const [source, by] of this.#mutedBy)
      if (!before.has(source)) this.#add({ is: 'muted', source, by: this.#nameOf(by) })
  }

  /** Reports a device that was replaced, as when a headset is unplugged. */
  #observeDevice(input: Input, lifetime: Lifetime): void {
    const read = () => {
      const state = input.get()
      return state.is === 'on' ? state : null
    }
    let previous = read()?.replaces
    const update = () => {
      const state = read()
      if (!state || state.replaces === previous) return
      previous = state.replaces
      if (previous !== null) this.#add({ is: 'replaced', device: input.kind, previous, current: state.label })
    }
    lifetime.defer(input.subscribe(update))
  }

  #nameOf(id: string | null): string | null {
    const participants = this.#session?.participants ?? []
    return participants.find(each => each.participant_id === id)?.display_name ?? null
  }

  #add(event: RoomEvent): void {
    const id = ++this.#count
    this.set(mostImportant([...this.get(), { id, event }]))
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      this.dismiss(id)
    }, SHOWN_FOR_MS)
    this.#timers.add(timer)
  }
}

/** A class that arrives leaves space for what concerns this user, such as a removal that can be undone. */
function mostImportant(notices: readonly Notice[]): Notice[] {
  const own = notices.filter(({ event }) => isOwn(event)).slice(-MAX_NOTICES)
  const others = notices.filter(({ event }) => !isOwn(event))
  return [...others.slice(Math.max(0, others.length + own.length - MAX_NOTICES)), ...own]
}

const isOwn = (event: RoomEvent): boolean =>
  event.is === 'removed' ? event.isByMe : !('name' in event) && event.is !== 'reacted'
