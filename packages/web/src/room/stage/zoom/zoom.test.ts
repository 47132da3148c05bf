import { describe, expect, it } from 'vitest'
import { clamped, FIT, movedBy, zoomByKey, zoomedTo } from './zoom.ts'

const frame = { area: { width: 800, height: 600 }, content: { width: 800, height: 450 } }

describe('the zoom of a screen', () => {
  it('keeps the point where it is around which it enlarges', () => {
    const at = { x: 120, y: -40 }
    const before = zoomedTo(FIT, 3, { x: 0, y: 0 }, frame)
    const after = zoomedTo(before, 4.5, at, frame)
    const onScreen = ({ factor, x, y }: typeof before) => [(at.x - x) / factor, (at.y - y) / factor]
    expect(onScreen(after)[0]).toBeCloseTo(onScreen(before)[0] ?? 0)
    expect(onScreen(after)[1]).toBeCloseTo(onScreen(before)[1] ?? 0)
  })

  it('moves no edge of the screen farther inside than necessary', () => {
    const zoom = zoomedTo(FIT, 2, { x: 0, y: 0 }, frame)
    expect(movedBy(zoom, { x: 9999, y: -9999 }, frame)).toEqual({ factor: 2, x: 400, y: -150 })
    // Lower than its area, the screen stays in the middle.
    const low = { ...frame, content: { width: 800, height: 200 } }
    expect(movedBy(zoom, { x: 10, y: 50 }, low)).toEqual({ factor: 2, x: 10, y: 0 })
    expect(clamped({ factor: 2, x: 400, y: 0 }, { ...frame, content: { width: 500, height: 450 } }).x).toBe(
      100,
    )
  })

  it('is between whole and six times as large', () => {
    expect(zoomedTo(FIT, 0.2, { x: 50, y: 50 }, frame)).toEqual(FIT)
    expect(zoomedTo(FIT, 50, { x: 0, y: 0 }, frame).factor).toBe(6)
  })

  it('follows the keys', () => {
    const larger = zoomByKey(FIT, '+', frame)
    expect(larger?.factor).toBe(1.5)
    const moved = zoomByKey(larger ?? FIT, 'ArrowRight', frame)
    expect(moved?.x).toBeLessThan(0)
    expect(zoomByKey(moved ?? FIT, '0', frame)).toEqual(FIT)
    expect(zoomByKey(FIT, 'Enter', frame)).toBeNull()
  })
})
