import type { Devices } from './devices/devices.ts'
import type { Kept } from './kept.ts'

/** That this tab is inside a room, and how: what it needs to be there again when the page is loaded again. */
export interface Stay {
  tag: string
  displayName: string
  microphone: boolean
  camera: boolean
}

/** Null when the tab was not in this room, or nobody knows. */
export function readStay(kept: Kept, tag: string): Stay | null {
  try {
    const stay = JSON.parse(kept.get() ?? 'null') as Stay | null
    return stay?.tag === tag && typeof stay.displayName === 'string' ? stay : null
  } catch {
    return null // somebody else wrote there
  }
}

/** Keeps the stay as it is, whenever a device is turned on or off. Returns what ends that. */
export function keepStay(kept: Kept, tag: string, displayName: string, devices: Devices): () => void {
  const { microphone, camera } = devices
  const note = () => {
    const stay: Stay = {
      tag,
      displayName,
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
