import { describe, expect, it } from 'vitest'
import { SIZE, stageOf } from './testing.ts'

describe('StageView', () => {
  it('is larger as a whole where text is larger: what fits on a page depends on both', async () => {
    const { room } = await stageOf(80)
    const { rects, pager } = room.stage.get()
    room.stage.setSize({ width: SIZE.width * 2, height: SIZE.height * 2 }, 2, 2)
    const large = room.stage.get()
    const [id] = rects.keys()
    expect(large.rects.get(id ?? '')?.width).toBeCloseTo((rects.get(id ?? '')?.width ?? 0) * 2)
    expect(large.pager?.rect.height).toBeCloseTo((pager?.rect.height ?? 0) * 2)
    expect(large.pager?.pages).toBe(pager?.pages)
    room.stage.setSize(SIZE, 2, 2)
    expect(room.stage.get().pager?.pages).toBeGreaterThan(pager?.pages ?? 0)
  })

  it('turns pages in a circle, and back to the first one with another layout', async () => {
    const { room } = await stageOf(80)
    const page = () => room.stage.get().pager?.page
    room.stage.showPage(1)
    expect(page()).toBe(1)
    room.stage.showPage(2)
    expect(page()).toBe(0)
    room.stage.showPage(1)
    room.layout.choose('speaker')
    expect(page()).toBe(0)
  })
})
