import { describe, expect, it } from 'vitest'
import { contentRect, moveByKey, pointOf, positionIn } from './letterbox.ts'

const WIDE = { width: 1920, height: 1080 }

describe('contentRect', () => {
  it('is the whole box for a video of its shape', () => {
    expect(contentRect(WIDE, { width: 160, height: 90 })).toEqual({ left: 0, top: 0, width: 160, height: 90 })
  })

  it('leaves bars above and below, or at both sides', () => {
    expect(contentRect(WIDE, { width: 160, height: 100 })).toEqual({
      left: 0,
      top: 5,
      width: 160,
      height: 90,
    })
    expect(contentRect({ width: 100, height: 200 }, { width: 300, height: 200 })).toEqual({
      left: 100,
      top: 0,
      width: 100,
      height: 200,
    })
  })

  it('is unknown without a size', () => {
    expect(contentRect({ width: 0, height: 0 }, WIDE)).toBeNull()
    expect(contentRect(WIDE, { width: 0, height: 10 })).toBeNull()
  })
})

describe('positions', () => {
  it('are the same on boxes of any shape', () => {
    const [presenter, viewer] = [
      contentRect(WIDE, { width: 800, height: 600 }),
      contentRect(WIDE, { width: 300, height: 900 }),
    ]
    if (!presenter || !viewer) throw new Error('no size')
    for (const position of [
      { x: 0, y: 0 },
      { x: 0.25, y: 0.75 },
      { x: 1, y: 1 },
    ]) {
      const { left, top } = pointOf(presenter, position)
      expect(positionIn(presenter, { x: left, y: top })).toEqual(position)
      const seen = pointOf(viewer, position)
      expect(seen.left).toBeCloseTo(position.x * 300)
      expect(seen.top).toBeCloseTo(viewer.top + position.y * viewer.height)
    }
  })

  it('do not exist beside the video', () => {
    const content = contentRect(WIDE, { width: 160, height: 100 })
    if (!content) throw new Error('no size')
    expect(positionIn(content, { x: 80, y: 4 })).toBeNull()
    expect(positionIn(content, { x: 80, y: 96 })).toBeNull()
    expect(positionIn(content, { x: 161, y: 50 })).toBeNull()
  })
})

describe('moveByKey', () => {
  const key = (name: string, shiftKey = false) => ({ key: name, shiftKey })

  it('begins in the middle, moves in small and large steps, and stays on the screen', () => {
    expect(moveByKey(null, key('ArrowUp'))).toEqual({ x: 0.5, y: 0.5 })
    expect(moveByKey({ x: 0.5, y: 0.5 }, key('ArrowLeft'))).toEqual({ x: 0.48, y: 0.5 })
    expect(moveByKey({ x: 0.5, y: 0.5 }, key('ArrowDown', true))).toEqual({ x: 0.5, y: 0.6 })
    expect(moveByKey({ x: 1, y: 0.01 }, key('ArrowUp'))).toEqual({ x: 1, y: 0 })
    expect(moveByKey({ x: 1, y: 0 }, key('ArrowRight', true))).toEqual({ x: 1, y: 0 })
  })

  it('ignores other keys', () => {
    expect(moveByKey(null, key('a'))).toBeNull()
  })
})
