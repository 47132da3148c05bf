/** The receiver of a path: a canvas or a `Path2D`. Paths are filled, with the nonzero rule. */
export interface PathSink {
  moveTo(x: number, y: number): void
  lineTo(x: number, y: number): void
  quadraticCurveTo(cx: number, cy: number, x: number, y: number): void
  bezierCurveTo(ax: number, ay: number, bx: number, by: number, x: number, y: number): void
  closePath(): void
}

export type Trace = (sink: PathSink) => void

/** For a quarter of a circle by a cubic curve. */
const ARC = 0.5523

/** A line with round ends. */
export function traceCapsule(sink: PathSink, from: Vector, to: Vector, width: number): void {
  const radius = width / 2
  const length = Math.hypot(to.x - from.x, to.y - from.y)
  const [ux, uy] = length > 0 ? [(to.x - from.x) / length, (to.y - from.y) / length] : [1, 0]
  // Along the line and to its right.
  const at = (end: Vector, along: number, right: number): [number, number] => [
    end.x + (ux * along - uy * right) * radius,
    end.y + (uy * along + ux * right) * radius,
  ]
  sink.moveTo(...at(from, 0, -1))
  sink.lineTo(...at(to, 0, -1))
  sink.bezierCurveTo(...at(to, ARC, -1), ...at(to, 1, -ARC), ...at(to, 1, 0))
  sink.bezierCurveTo(...at(to, 1, ARC), ...at(to, ARC, 1), ...at(to, 0, 1))
  sink.lineTo(...at(from, 0, 1))
  sink.bezierCurveTo(...at(from, -ARC, 1), ...at(from, -1, ARC), ...at(from, -1, 0))
  sink.bezierCurveTo(...at(from, -1, -ARC), ...at(from, -ARC, -1), ...at(from, 0, -1))
  sink.closePath()
}

export interface Vector {
  x: number
  y: number
}

interface Frame extends Vector {
  width: number
  height: number
}

/** `isHole`: in the other direction, so that it is left out of what is around it. */
export function traceRectangle(sink: PathSink, { x, y, width, height }: Frame, isHole = false): void {
  const corners: [number, number][] = [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ]
  const [first, ...rest] = isHole ? corners.reverse() : corners
  if (first) sink.moveTo(...first)
  for (const corner of rest) sink.lineTo(...corner)
  sink.closePath()
}

export function traceEllipse(sink: PathSink, { x, y, width, height }: Frame, isHole = false): void {
  const [rx, ry] = [width / 2, height / 2]
  const turn = isHole ? -1 : 1
  const at = (right: number, down: number): [number, number] => [
    x + rx + right * rx,
    y + ry + down * turn * ry,
  ]
  sink.moveTo(...at(1, 0))
  sink.bezierCurveTo(...at(1, ARC), ...at(ARC, 1), ...at(0, 1))
  sink.bezierCurveTo(...at(-ARC, 1), ...at(-1, ARC), ...at(-1, 0))
  sink.bezierCurveTo(...at(-1, -ARC), ...at(-ARC, -1), ...at(0, -1))
  sink.bezierCurveTo(...at(ARC, -1), ...at(1, -ARC), ...at(1, 0))
  sink.closePath()
}

/** A closed curve through the middles of the sides of a polygon. */
export function tracePolygon(sink: PathSink, corners: readonly (readonly number[])[]): void {
  const first = corners[0]
  const last = corners.at(-1)
  if (!first || !last || corners.length < 3) return
  const middle = ([ax = 0, ay = 0]: readonly number[], [bx = 0, by = 0]: readonly number[]) =>
    [(ax + bx) / 2, (ay + by) / 2] as const
  sink.moveTo(...middle(last, first))
  corners.forEach((corner, at) => {
    const [x = 0, y = 0] = corner
    sink.quadraticCurveTo(x, y, ...middle(corner, corners[at + 1] ?? first))
  })
  sink.closePath()
}
