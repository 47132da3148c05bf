/** A sample of a stroke: x and y in units, pressure from 0 to 1; 0: not measured. */
export type InkPoint = readonly [x: number, y: number, pressure: number]

/** Coordinates are sent as tenths of a unit. */
const PER_UNIT = 10
const PRESSURE_MAX = 255

/** The first point, then differences: integers, three for each point. */
export function encodePoints(points: readonly InkPoint[], after?: InkPoint): number[] {
  const encoded: number[] = []
  let last = after ? rounded(after) : ([0, 0, 0] as const)
  for (const point of points) {
    const next = rounded(point)
    encoded.push(next[0] - last[0], next[1] - last[1], next[2] - last[2])
    last = next
  }
  return encoded
}

/** The points of a stroke; what does not fill a point is left out. A pressure out of its range would make it wider than its bounds. */
export function decodePoints(encoded: readonly number[], after?: InkPoint): InkPoint[] {
  const points: InkPoint[] = []
  let [x, y, pressure] = after ? rounded(after) : [0, 0, 0]
  for (let at = 0; at + 2 < encoded.length; at += 3) {
    x += encoded[at] ?? 0
    y += encoded[at + 1] ?? 0
    pressure += encoded[at + 2] ?? 0
    points.push([x / PER_UNIT, y / PER_UNIT, within(pressure / PRESSURE_MAX)])
  }
  return points
}

/** The point as it arrives at the others, so that its author sees what they see. */
export function asSent([x, y, pressure]: InkPoint): InkPoint {
  const [tenX, tenY, whole] = rounded([x, y, pressure])
  return [tenX / PER_UNIT, tenY / PER_UNIT, whole / PRESSURE_MAX]
}

const rounded = ([x, y, pressure]: InkPoint): [number, number, number] => [
  Math.round(x * PER_UNIT),
  Math.round(y * PER_UNIT),
  Math.round(within(pressure) * PRESSURE_MAX),
]

const within = (pressure: number): number => Math.min(Math.max(pressure, 0), 1)
