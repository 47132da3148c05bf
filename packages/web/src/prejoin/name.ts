import { cleanDisplayName, DISPLAY_NAME_MAX } from '@lectern/protocol'

/** The display name, or null when nothing is left of the input. */
export function readName(typed: string): string | null {
  const start = Array.from(cleanDisplayName(typed)).slice(0, DISPLAY_NAME_MAX)
  return cleanDisplayName(start.join('')) || null
}
