import type { Devices } from './devices/devices.ts'
import type { StoredValue } from './stored-value.ts'

/** Remembers that this tab is in a room, so that it rejoins after a reload. */
export interface RejoinState {
  tag: string
  displayName: string
  /** The account in the room; null: a guest, or the invitee of the link. */
  userId: number | null
  microphone: boolean
  camera: boolean
}

/** Null when the tab was not in this room as this user, or that is unknown. */
export function loadRejoinState(kept: StoredValue, tag: string, userId: number | null): RejoinState | null {
  try {
    const stay = JSON.parse(kept.get() ?? 'null') as RejoinState | null
    return stay?.tag === tag && stay.userId === userId && typeof stay.displayName === 'string' ? stay : null
  } catch {
    return null // malformed
  }
}

/** Saves the state whenever a device is turned on or off. Returns the function that stops it. */
export function saveRejoinState(
  kept: StoredValue,
  who: Pick<RejoinState, 'tag' | 'displayName' | 'userId'>,
  devices: Devices,
): () => void {
  const { microphone, camera } = devices
  const note = () => {
    const stay: RejoinState = {
      ...who,
      microphone: microphone.get().is !== 'off',
      camera: camera.get().is !== 'off',
    }
    kept.set(JSON.stringify(stay))
  }
  note()
  const ends = [microphone.subscribe(note), camera.subscribe(note)]
  return () => {
    for (const end of ends) end()
  }
}
