import { getStroke } from 'perfect-freehand'
import type { StrokeKind } from './element.ts'
import type { InkPoint } from './points.ts'

/** How much a pen's pressure, or the speed of a mouse, changes the width. */
const THINNING = { measured: 0.6, simulated: 0.3 }

/**
 * Corners of a polygon. A hand makes fewer; a stroke that turns back at each of its points would have 26 of them for each,
 * and filling that takes a browser or a recorder seconds.
 */
const CORNERS = { few: 1_000, ofPoint: 10, most: 20_000 }

/**
 * The polygon of a stroke, in units. The first points of a stroke have the same outline whatever follows, apart from
 * their end: a recording shows how it grows.
 */
export function outlineOf(kind: StrokeKind, points: readonly InkPoint[], width: number): number[][] {
  const isMeasured = points.some(([, , pressure]) => pressure > 0)
  const thinning = isMeasured ? THINNING.measured : THINNING.simulated
  const outline = getStroke(points as [number, number, number][], {
    size: width,
    thinning: kind === 'marker' ? 0 : thinning,
    smoothing: 0.5,
    streamline: 0.3,
    simulatePressure: !isMeasured,
    last: true,
  })
  const most = Math.min(CORNERS.few + CORNERS.ofPoint * points.length, CORNERS.most)
  return outline.length <= most ? outline : thinned(outline, most)
}

/** Keeps this many corners, evenly chosen. */
const thinned = (outline: readonly number[][], count: number): number[][] =>
  Array.from({ length: count }, (_, at) => outline[Math.floor((at * outline.length) / count)] as number[])
