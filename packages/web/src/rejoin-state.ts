import type { Devices } from './devices/devices.ts'
import type { StoredValue } from './stored-value.ts'

/** That this tab is inside a room, and how: what it needs to be there again when the page is loaded again. */
export interface RejoinState {
  tag: string
  displayName: string
  /** The account that is inside; null: a guest, or whom the link was made for. */
  userId: number | null
  microphone: boolean
  camera: boolean
}

/** Null when the tab was not in this room as this user, or nobody knows. */
export function loadRejoinState(kept: StoredValue, tag: string, userId: number | null): RejoinState | null {
  try {
    const stay = JSON.parse(kept.get() ?? 'null') as RejoinState | null
    return stay?.tag === tag && stay.userId === userId && typeof stay.displayName === 'string' ? stay : null
  } catch {
    return null // somebody else wrote there
  }
}

/** Keeps the stay as it is, whenever a device is turned on or off. Returns what ends that. */
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
