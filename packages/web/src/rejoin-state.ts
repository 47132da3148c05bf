import type { Devices } from './devices/devices.ts'
import type { StoredValue } from './stored-value.ts'

/** What is remembered of a tab that is in a room, so that it rejoins after a reload. */
export interface RejoinState {
  tag: string
  displayName: string
  /** The account in the room; null: a guest, or the invitee of the link. */
  userId: number | null
  /** The id of the tab, so that a copy of it does not rejoin, too; absent: another page of this tab led to the room. */
  tab?: string
  microphone: boolean
  camera: boolean
}

/** Null when the tab was not in this room as this user, or that is unknown. */
export function loadRejoinState(stored: StoredValue, tag: string, userId: number | null): RejoinState | null {
  try {
    const state = JSON.parse(stored.get() ?? 'null') as RejoinState | null
    return state?.tag === tag && state.userId === userId && typeof state.displayName === 'string'
      ? state
      : null
  } catch {
    return null // malformed
  }
}

/** Saves the state whenever a device is turned on or off. Returns the function that stops it. */
export function saveRejoinState(
  stored: StoredValue,
  person: Pick<RejoinState, 'tag' | 'displayName' | 'userId' | 'tab'>,
  devices: Devices,
): () => void {
  const { microphone, camera } = devices
  const save = () => {
    if (!devices.inUse) return // after the call they are closed, which nobody has chosen
    const state: RejoinState = {
      ...person,
      microphone: microphone.get().is !== 'off',
      camera: camera.get().is !== 'off',
    }
    stored.set(JSON.stringify(state))
  }
  save()
  const ends = [microphone.subscribe(save), camera.subscribe(save)]
  return () => {
    for (const end of ends) end()
  }
}
