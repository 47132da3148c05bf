import type { SessionView } from '@lectern/control-client'
import type { Publication } from '@lectern/protocol/control/client'
import type { Tile } from '../tiles/tiles.ts'
import type { LayoutName } from './layout.ts'
import type { SpotlightState } from './spotlight.ts'

/** The number of people from which one tile is large. */
const LARGE_FROM: Record<LayoutName, number> = {
  webinar: 3,
  grid: Number.POSITIVE_INFINITY,
  speaker: 2,
  presentation: 2,
}

type Session = Pick<SessionView, 'publications' | 'spotlight_user_id'>

/**
 * The large tile; null: all are equal. The first that exists (docs/room.md): the tile that this viewer has pinned; a
 * moderator's screen; the screen of the person in the spotlight, then that person; the screen that has been shared
 * for longest; what the layout shows large. So nobody's screen replaces a moderator's, and no later screen an earlier
 * one of the same rank.
 */
export function chooseLarge(
  tiles: readonly Tile[],
  { publications, spotlight_user_id }: Session,
  { pinned, speaker }: SpotlightState,
  layout: LayoutName,
): string | null {
  if (tiles.some(({ id }) => id === pinned)) return pinned
  const people = tiles.filter(({ is }) => is === 'person')
  const others = people.filter(({ isMe }) => !isMe)
  const isSpotlit = ({ participant }: Tile) => participant.user_id === spotlight_user_id
  const screens = inOrderOfStart(tiles, publications)
  const chosen = screens.find(isModerators) ?? screens.find(isSpotlit) ?? others.find(isSpotlit) ?? screens[0]
  if (chosen) return chosen.id
  if (people.length < LARGE_FROM[layout]) return null
  const speaking = others.find(({ participant }) => participant.participant_id === speaker)
  const moderator = layout === 'presentation' ? others.find(isModerators) : undefined
  return (moderator ?? speaking ?? others[0])?.id ?? null
}

const isModerators = ({ participant }: Tile) => participant.role === 'moderator'

/** The shared screens. Publications are listed in the order in which they began. */
function inOrderOfStart(tiles: readonly Tile[], publications: readonly Publication[]): Tile[] {
  const begunAt = new Map(publications.map(({ publication_id }, index) => [publication_id, index]))
  const orderOf = ({ video }: Tile) => begunAt.get(video?.publicationId ?? '') ?? publications.length
  return tiles.filter(({ is }) => is === 'screen').sort((a, b) => orderOf(a) - orderOf(b))
}
