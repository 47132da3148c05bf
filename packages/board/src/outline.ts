import { getStroke } from 'perfect-freehand'
import type { StrokeKind } from './element.ts'
import type { InkPoint } from './points.ts'

/** How much a pen's pressure, or the speed of a mouse, changes the width. */
const THINNING = { measured: 0.6, simulated: 0.3 }

/**
 * The polygon of a stroke, in units. The first points of a stroke have the same outline whatever follows, apart from
 * their end: a recording shows how it grows.
 */
export function outlineOf(kind: StrokeKind, points: readonly InkPoint[], width: number): number[][] {
  const isMeasured = points.some(([, , pressure]) => pressure > 0)
  const thinning = isMeasured ? THINNING.measured : THINNING.simulated
  return getStroke(points as [number, number, number][], {
    size: width,
    thinning: kind === 'marker' ? 0 : thinning,
    smoothing: 0.5,
    streamline: 0.3,
    simulatePressure: !isMeasured,
    last: true,
  })
}
