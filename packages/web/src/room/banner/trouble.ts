import type { LinkState } from '../../call/call.ts'
import type { PlaneState } from '../../call/media/plane.ts'

/** Why nothing, or nothing new, gets here or from here. Each has its own words in `texts`. */
export type Trouble =
  | { is: 'offline' }
  | { is: 'reconnecting'; since: number }
  | { is: 'waiting'; until: number }
  | { is: 'media' }
  | { is: 'unavailable' }

/** Null while everything is as it should be. */
export function troubleOf(
  link: LinkState,
  plane: PlaneState,
  flows: boolean,
  isOnline: boolean,
): Trouble | null {
  if (link.is === 'reconnecting') {
    if (!isOnline) return { is: 'offline' }
    if (link.until !== null) return { is: 'waiting', until: link.until }
    return { is: 'reconnecting', since: link.since }
  }
  if (plane.is === 'unavailable') return { is: 'unavailable' }
  // The first opening is part of coming in; only what failed is told.
  return plane.is === 'waiting' || !flows ? { is: 'media' } : null
}
