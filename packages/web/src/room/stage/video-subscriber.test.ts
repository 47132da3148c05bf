import { describe, expect, it, vi } from 'vitest'
import { stageOf } from './testing.ts'

describe('VideoSubscriber', () => {
  it('receives exactly the videos of visible tiles, on every page and in every layout', async () => {
    const { room, offerAll, received, visible } = await stageOf(80)
    await offerAll()
    const isReceived = () => expect(received().sort()).toEqual(visible().sort())
    isReceived()
    expect(room.stage.get().pager).toMatchObject({ page: 0, pages: 2 })
    room.stage.showPage(1)
    expect(room.stage.get().pager).toMatchObject({ page: 1 })
    isReceived()
    for (const layout of ['speaker', 'presentation', 'grid'] as const) {
      room.layout.choose(layout)
      isReceived()
    }
    room.spotlight.togglePin('person other77')
    expect(visible()).toContain('person other77')
    isReceived()
  })

  it('reports a hidden video before it answers the offer, and never an audio track', async () => {
    const { control, offerAll, reported, visible } = await stageOf(80)
    const before = control.media.length
    let isReportedFirst = true
    control.handlers['media.set_layers'] = ({ publication_id }) => {
      const isAnswered = control.media
        .slice(before)
        .some(({ media }) => media.publication_id === publication_id)
      if (isAnswered) isReportedFirst = false
    }
    await offerAll()
    expect(isReportedFirst).toBe(true)
    expect(reported().filter(({ shown }) => shown === null)).toHaveLength(79 - visible().length)
    expect(reported().some(({ publication_id }) => publication_id.startsWith('voice'))).toBe(false)
  })

  it('receives no video while the page is hidden', async () => {
    const { setPageVisible, offerAll, received, visible } = await stageOf(9)
    await offerAll()
    expect(received()).toHaveLength(8)
    setPageVisible(false)
    expect(received()).toEqual([])
    expect(visible()).toHaveLength(8)
    setPageVisible(true)
    expect(received()).toHaveLength(8)
  })

  it('receives what a picture-in-picture window shows while the page is hidden, and nothing else', async () => {
    const { room, setPageVisible, offerAll, received, reported } = await stageOf(9)
    await offerAll()
    const shown = room.stage.get().pip
    expect(shown).not.toBeNull()
    setPageVisible(false)
    room.videos.setPip({ width: 400, height: 260 })
    expect(received()).toEqual([shown])
    expect(reported().at(-1)?.shown?.width).toBe(800)
    room.videos.setPip(null)
    expect(received()).toEqual([])
  })

  it('receives the video that a browser without such windows shows, also when another one is large', async () => {
    const openVideo = async (tileId: string | null) => ({ tileId, close: () => {} })
    const stage = await stageOf(9, { pip: { openWindow: null, openVideo } })
    const { room, control, setPageVisible, offerAll, received } = stage
    await offerAll()
    const shown = room.stage.get().pip
    await room.pip.toggle()
    setPageVisible(false)
    expect(received()).toEqual([shown])
    control.updateSession({ spotlight_user_id: 'u7' })
    expect(room.stage.get().pip).not.toBe(shown)
    expect(received()).toEqual([shown])
  })

  it('receives an enlarged video in the size that it would need as a whole', async () => {
    const { room, offerAll, reported } = await stageOf(9)
    await offerAll()
    const width = () => reported().findLast(each => each.publication_id === 'camera-other0')?.shown?.width
    const before = width() ?? 0
    room.videos.setZoom('person other0', 2)
    await vi.waitFor(() => expect(Math.abs((width() ?? 0) - before * 2)).toBeLessThanOrEqual(1))
    room.videos.setZoom('person other0', 1)
    await vi.waitFor(() => expect(width()).toBe(before))
  })

  it('reports sizes in device pixels', async () => {
    const { room, offerAll, reported } = await stageOf(9)
    await offerAll()
    const rect = room.stage.get().rects.get('person other0')
    const [first] = reported()
    expect(first?.shown?.width).toBe(Math.round((rect?.width ?? 0) * 2))
  })
})
