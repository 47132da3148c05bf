import type { Publication } from '@lectern/protocol/control/client'
import type { LayoutName } from './layout.ts'
import type { SpotlightState } from './spotlight.ts'
import type { Tile } from './tiles.ts'

/** The number of people from which one tile is large. */
const LARGE_FROM: Record<LayoutName, number> = {
  webinar: 3,
  grid: Number.POSITIVE_INFINITY,
  speaker: 2,
  presentation: 2,
}

/**
 * The large tile; null: all are equal. In this order (docs/room.md): the tile that this viewer has pinned; a
 * moderator's screen; another screen, the earlier one first; what the layout shows large. So a participant's
 * screen never replaces a moderator's, and a later screen never replaces an earlier one of the same rank.
 */
export function chooseLarge(
  tiles: readonly Tile[],
  publications: readonly Publication[],
  { pinned, speaker }: SpotlightState,
  layout: LayoutName,
): string | null {
  if (tiles.some(({ id }) => id === pinned)) return pinned
  const screen = firstScreen(tiles, publications)
  if (screen) return screen.id
  const people = tiles.filter(({ is }) => is === 'person')
  if (people.length < LARGE_FROM[layout]) return null
  const others = people.filter(({ isMe }) => !isMe)
  const speaking = others.find(({ participant }) => participant.participant_id === speaker)
  const moderator = layout === 'presentation' ? others.find(isModerators) : undefined
  return (moderator ?? speaking ?? others[0])?.id ?? null
}

const isModerators = ({ participant }: Tile) => participant.role === 'moderator'

/** Publications are listed in the order in which they began. */
function firstScreen(tiles: readonly Tile[], publications: readonly Publication[]): Tile | undefined {
  const begunAt = new Map(publications.map(({ publication_id }, index) => [publication_id, index]))
  const orderOf = ({ video }: Tile) => begunAt.get(video?.publicationId ?? '') ?? publications.length
  const screens = tiles.filter(({ is }) => is === 'screen').sort((a, b) => orderOf(a) - orderOf(b))
  return screens.find(isModerators) ?? screens[0]
}
