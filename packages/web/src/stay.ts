import type { Devices } from './devices/devices.ts'
import type { Kept } from './kept.ts'

/** That this tab is inside a room, and how: what it needs to be there again when the page is loaded again. */
export interface Stay {
  tag: string
  displayName: string
  /** The account that is inside; null: a guest, or whom the link was made for. */
  userId: number | null
  microphone: boolean
  camera: boolean
}

/** Null when the tab was not in this room as this user, or nobody knows. */
export function readStay(kept: Kept, tag: string, userId: number | null): Stay | null {
  try {
    const stay = JSON.parse(kept.get() ?? 'null') as Stay | null
    return stay?.tag === tag && stay.userId === userId && typeof stay.displayName === 'string' ? stay : null
  } catch {
    return null // somebody else wrote there
  }
}

/** Keeps the stay as it is, whenever a device is turned on or off. Returns what ends that. */
export function keepStay(
  kept: Kept,
  who: Pick<Stay, 'tag' | 'displayName' | 'userId'>,
  devices: Devices,
): () => void {
  const { microphone, camera } = devices
  const note = () => {
    const stay: Stay = {
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
