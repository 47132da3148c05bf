import type { LayoutName } from '../stage/selection/layout.ts'
import styles from './LayoutDialog.module.css'

type Tile = readonly [x: number, y: number, width: number, height: number]

const SMALL: readonly Tile[] = [0, 1, 2, 3].map(row => [37, 2 + row * 7, 9, 5])

/** The tiles of each layout, from left to right. */
const TILES: Record<LayoutName, readonly Tile[]> = {
  webinar: [[2, 2, 33, 26], ...SMALL.slice(0, 3)],
  grid: [0, 1, 2, 3, 4, 5].map(tile => [2 + (tile % 3) * 15, 2 + Math.floor(tile / 3) * 13.5, 14, 12.5]),
  speaker: [[2, 2, 33, 26], ...SMALL],
  presentation: [
    [2, 2, 33, 26],
    [37, 2, 9, 12],
    [37, 16, 9, 12],
  ],
}

export function LayoutPicture({ layout }: { layout: LayoutName }) {
  return (
    <svg className={styles.picture} viewBox="0 0 48 30" aria-hidden="true">
      {TILES[layout].map(([x, y, width, height]) => (
        <rect key={`${x} ${y}`} {...{ x, y, width, height }} rx="1.5" />
      ))}
    </svg>
  )
}
