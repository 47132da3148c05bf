import type { Minute } from './minutes.ts'

/** How the memory of a process changes, by least squares over the minutes after the warm-up. */
export interface Slope {
  name: string
  /** MB per hour, and its standard error. */
  perHour: number
  error: number
  /** Memory in MB after the warm-up, at the end, and at most. */
  first: number
  last: number
  max: number
  minutes: number
}

/** Caches fill, code is compiled, and stores open. */
const WARM_UP_MINUTES = 20
/** Of a shorter run this part is warm-up. */
const WARM_UP_PART = 0.25
const MINUTES_MIN = 5

export const warmUpOf = (minutes: readonly Minute[]): number =>
  Math.min(WARM_UP_MINUTES, (minutes.at(-1)?.minute ?? 0) * WARM_UP_PART)

/** One for each process that was there for long enough; a process that was replaced counts from its last start. */
export function slopesOf(minutes: readonly Minute[]): Slope[] {
  const after = minutes.filter(({ minute }) => minute > warmUpOf(minutes))
  const names = [...new Set(after.flatMap(({ processes }) => Object.keys(processes)))]
  return names.flatMap(name => {
    const pid = after.findLast(({ processes }) => processes[name])?.processes[name]?.pid
    const isGroup = name === 'ffmpeg' || name === 'browser'
    const points = after.flatMap(({ minute, processes }) => {
      const own = processes[name]
      return own && (isGroup || own.pid === pid) ? [{ x: minute / 60, y: own.memory }] : []
    })
    return points.length < MINUTES_MIN ? [] : [{ name, ...leastSquares(points), ...extremesOf(points) }]
  })
}

interface Point {
  x: number
  y: number
}

/** The slope of the best line through the points, and its standard error. */
function leastSquares(points: readonly Point[]): { perHour: number; error: number } {
  const mean = (value: (point: Point) => number) =>
    points.reduce((sum, point) => sum + value(point), 0) / points.length
  const [meanX, meanY] = [mean(({ x }) => x), mean(({ y }) => y)]
  const spread = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0)
  const perHour = points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / spread
  const residual = points.reduce((sum, { x, y }) => sum + (y - meanY - perHour * (x - meanX)) ** 2, 0)
  return { perHour, error: Math.sqrt(residual / Math.max(1, points.length - 2) / spread) }
}

function extremesOf(points: readonly Point[]) {
  const values = points.map(({ y }) => y)
  return {
    first: values[0] ?? 0,
    last: values.at(-1) ?? 0,
    max: Math.max(...values),
    minutes: points.length,
  }
}
