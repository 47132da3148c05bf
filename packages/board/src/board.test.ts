import { describe, expect, it } from 'vitest'
import { drawingsOf } from './drawing.ts'
import type { Content } from './element.ts'
import { boundsOf, inReadingOrder, isTouched, paintedBoundsOf } from './geometry.ts'
import { outlineOf } from './outline.ts'
import type { Trace } from './path.ts'
import { asSent, decodePoints, encodePoints, type InkPoint } from './points.ts'
import { aStroke, aText } from './testing.ts'
import { breakText, SOFT_BREAK, textLines, withoutBreaks } from './text.ts'

const POINTS: InkPoint[] = [
  [10, 20, 0],
  [12.5, 21.2, 0],
  [20, 30, 0],
  [40, 30, 0],
]
const SHAPE = { x1: 10, y1: 20, x2: 110, y2: 70, color: '#a2382c', width: 4 }

describe('points', () => {
  it('are sent as integers: the first one, then the differences', () => {
    expect(
      encodePoints([
        [10, 20, 0.5],
        [10.2, 19.9, 0.5],
      ]),
    ).toEqual([100, 200, 128, 2, -1, 0])
  })

  it('arrive as they were drawn, also in parts', () => {
    const encoded = encodePoints(POINTS)
    expect(decodePoints(encoded)).toEqual(POINTS.map(asSent))
    const part = encodePoints(POINTS.slice(2), POINTS[1])
    expect(decodePoints(part, POINTS[1])).toEqual(POINTS.slice(2).map(asSent))
    expect(decodePoints([1, 2])).toEqual([])
  })

  it('have a pressure within its range, whatever was sent: nothing of a stroke is beside its bounds', () => {
    const points = [500, 500, 90_000, 300, 300, -180_000, 300, -300, 200_000]
    expect(decodePoints(points).map(([, , pressure]) => pressure)).toEqual([1, 0, 1])
    const content = { kind: 'stroke', data: { points, color: '#1a2b3c', width: 20, duration_ms: 1 } } as const
    const { x, y, width, height } = boundsOf(content)
    const outline = outlineOf('stroke', decodePoints(points), 20)
    for (const [left = 0, top = 0] of outline) {
      expect(left >= x && left <= x + width).toBe(true)
      expect(top >= y && top <= y + height).toBe(true)
    }
  })
})

describe('a stroke', () => {
  it('has an outline around its points, as wide as it', () => {
    const xs = outlineOf('marker', POINTS, 10).map(([x = 0]) => x)
    expect(Math.min(...xs)).toBeGreaterThan(3)
    expect(Math.max(...xs)).toBeLessThan(47)
  })

  it('grows: what is drawn later changes only the end of its outline', () => {
    const line = Array.from({ length: 40 }, (_, at): InkPoint => [at * 5, Math.sin(at / 4) * 20, 0])
    const isLeft = ([x = 0]: number[]) => x < 80
    const part = outlineOf('stroke', line.slice(0, 25), 6).filter(isLeft)
    const whole = outlineOf('stroke', line, 6).filter(isLeft)
    expect(part).toEqual(whole)
  })

  it('is wider where the pen is pressed', () => {
    const height = (pressure: number) => {
      const line = Array.from({ length: 20 }, (_, at): InkPoint => [at * 5, 0, pressure])
      return Math.max(...outlineOf('stroke', line, 10).map(([, y = 0]) => y))
    }
    expect(height(0.9)).toBeGreaterThan(height(0.2) * 1.5)
  })

  it('has few corners however often it turns back: filling ten times as many would take seconds', () => {
    const jitter = Array.from(
      { length: 20_000 },
      (_, at): InkPoint => [800 + (at % 2) * 50, 400 + (at % 3), 0],
    )
    const wide = outlineOf('stroke', jitter, 200)
    expect(wide).toHaveLength(20_000)
    expect(new Set(wide.map(([x = 0]) => Math.sign(x - 825)))).toContain(-1)
    expect(outlineOf('stroke', jitter.slice(0, 100), 3).length).toBeLessThanOrEqual(2_000)
  })

  it('of one point is a dot', () => {
    expect(outlineOf('stroke', [[5, 5, 0]], 4).length).toBeGreaterThan(4)
  })
})

/** The `d` of an SVG path. */
function svgPath(trace: Trace): string {
  const parts: string[] = []
  const add = (letter: string, ...numbers: number[]) => void parts.push(letter + numbers.map(short).join(' '))
  trace({
    moveTo: (...at) => add('M', ...at),
    lineTo: (...to) => add('L', ...to),
    quadraticCurveTo: (...to) => add('Q', ...to),
    bezierCurveTo: (...to) => add('C', ...to),
    closePath: () => add('Z'),
  })
  return parts.join('')
}

const short = (value: number): string => String(Math.round(value * 100) / 100)

describe('drawings', () => {
  const paths = (content: Content) =>
    drawingsOf(content).flatMap(each => (each.is === 'path' ? [svgPath(each.trace)] : []))

  it('are closed paths', () => {
    for (const kind of ['line', 'arrow', 'rectangle', 'ellipse'] as const) {
      const [path = ''] = paths({ kind, data: SHAPE })
      expect(path).toMatch(/^M[\d.-]+ [\d.-]+.*Z$/)
    }
    const [drawing] = drawingsOf(aStroke('s', POINTS))
    if (drawing?.is !== 'path') throw new Error('a path was expected')
    expect(svgPath(drawing.trace)).toMatch(/^M.*Q.*Z$/)
  })

  it('of a rectangle have a hole, and its surface below if it is filled', () => {
    expect(paths({ kind: 'rectangle', data: SHAPE })[0]?.match(/M/g)).toHaveLength(2)
    const [fill, outline] = drawingsOf({ kind: 'rectangle', data: { ...SHAPE, fill: '#a2382c' } })
    expect(fill).toMatchObject({ is: 'path', opacity: 0.25 })
    expect(outline).toMatchObject({ is: 'path', opacity: 1 })
  })

  it('of a marker let through what is below it', () => {
    expect(drawingsOf({ ...aStroke('s', POINTS), kind: 'marker' } as Content)).toMatchObject([
      { opacity: 0.4 },
    ])
  })
})

describe('a text', () => {
  const measure = (line: string) => line.length * 10

  it('is broken between words by its author, and the breaks can be taken out', () => {
    const broken = breakText('one two three\nabcdefghijklmno', 100, measure)
    expect(broken.split('\n').map(each => each.split(SOFT_BREAK))).toEqual([
      ['one two ', 'three'],
      ['abcdefghij', 'klmno'],
    ])
    expect(withoutBreaks(broken)).toBe('one two three\nabcdefghijklmno')
    expect(breakText(broken, 1_000, measure)).toBe('one two three\nabcdefghijklmno')
    const family = '👨‍👩‍👧'
    expect(breakText(family.repeat(4), 200, measure).split(SOFT_BREAK)).toEqual(
      Array(2).fill(family.repeat(2)),
    )
  })

  it('begins at its right end where it is written from right to left', () => {
    const lines = textLines({ x: 10, y: 0, width: 100, size: 20, text: 'x = 3\n1. مرحبا' })
    expect(lines.map(({ x, direction }) => [x, direction])).toEqual([
      [10, 'ltr'],
      [110, 'rtl'],
    ])
    expect((lines[1]?.y ?? 0) - (lines[0]?.y ?? 0)).toBeCloseTo(27.2)
  })
})

describe('geometry', () => {
  it('knows the rectangle of every kind', () => {
    const stroke = aStroke('s', POINTS)
    expect(boundsOf(stroke)).toEqual({ x: 6, y: 16, width: 38, height: 18 })
    expect(boundsOf({ kind: 'ellipse', data: SHAPE })).toMatchObject({ x: 6, y: 16 })
    expect(boundsOf(aText('t', 'a\nb'))).toMatchObject({ x: 100, width: 400, height: 87.04 })
  })

  it('knows how far a text may be painted beside its rectangle', () => {
    const long = 'A line of a client that breaks none, which is long'
    const [ltr, rtl] = [aText('t', long), aText('t', `مرحبا ${long}`)]
    const at = paintedBoundsOf(ltr)
    expect([at.x > 80, at.x + at.width > 1_500]).toEqual([true, true])
    expect(paintedBoundsOf(rtl).x).toBeLessThan(-1_000)
    const stroke = aStroke('s', POINTS)
    expect(paintedBoundsOf(stroke)).toBe(boundsOf(stroke))
  })

  it('knows what an eraser touches on its way', () => {
    const touches = (content: Content, x: number, y: number, x2 = x, y2 = y) =>
      isTouched(content, { x, y }, { x: x2, y: y2 }, 3)
    const stroke = aStroke('s', POINTS)
    expect(touches(stroke, 30, 33)).toBe(true)
    expect(touches(stroke, 30, 45)).toBe(false)
    // A fast movement, with few samples.
    expect(touches(stroke, 30, 0, 30, 90)).toBe(true)
    // Inside of a shape there is nothing.
    expect(touches({ kind: 'rectangle', data: SHAPE }, 60, 45)).toBe(false)
    expect(touches({ kind: 'rectangle', data: SHAPE }, 12, 45)).toBe(true)
    expect(touches({ kind: 'ellipse', data: SHAPE }, 10, 20)).toBe(false)
    expect(touches({ kind: 'ellipse', data: SHAPE }, 60, 20)).toBe(true)
    expect(touches({ kind: 'arrow', data: SHAPE }, 60, 45)).toBe(true)
  })

  it('puts elements in the order in which one reads', () => {
    const elements = [
      aText('below', 'c', { y: 300 }),
      aText('right', 'b', { x: 600, y: 95 }),
      aText('left', 'a', { x: 0, y: 105 }),
    ]
    expect(inReadingOrder(elements).map(each => each.element_id)).toEqual(['left', 'right', 'below'])
  })
})
