import { describe, expect, it } from 'vitest'
import { settle } from '../../call/testing/call-harness.ts'
import { aParticipant, aPublication } from '../../call/testing/session.ts'
import { createTestRoom } from '../testing.ts'

const SIZE = { width: 1416, height: 770 }

/** A room with this many people in all, whose cameras and microphones are offered. */
async function stage(people: number) {
  const { room, harness, page } = createTestRoom()
  await harness.enter()
  const { control } = harness
  const [me] = control.view.get()?.participants ?? []
  if (!me) throw new Error('a participant was expected')
  const others = Array.from({ length: people - 1 }, (_, at) =>
    aParticipant(`other${at}`, { user_id: `u${at}` }),
  )
  const publications = others.flatMap(({ participant_id }) => [
    aPublication({ publication_id: `camera-${participant_id}`, participant_id }),
    aPublication({ publication_id: `voice-${participant_id}`, participant_id, source: 'microphone' }),
  ])
  control.updateSession({ participants: [me, ...others], publications })
  room.layout.choose('grid')
  room.stage.setSize(SIZE, 2)
  const reported = () =>
    control.bodies('media.set_layers') as { publication_id: string; shown: { width: number } | null }[]
  const offerAll = async () => {
    for (const { publication_id } of publications)
      control.receiveMedia({
        media: {
          conference_session_id: '1',
          participant_instance_id: 'p1',
          publication_id,
          endpoint_id: 'e1',
          negotiation_id: `n-${publication_id}`,
          rtc_node_id: 'node',
          route_generation: '1',
          scope: 'video',
        },
        name: 'webrtc_offer',
        body: { consumer_id: `c-${publication_id}`, participant_id: 'x', source: 'camera' },
      })
    await settle()
  }
  /** The last report of each video. */
  const received = () => {
    const last = new Map(reported().map(({ publication_id, shown }) => [publication_id, shown]))
    return [...last].filter(([, shown]) => shown !== null).map(([id]) => id.replace('camera-', 'person '))
  }
  const visible = () => [...room.stage.get().rects.keys()].filter(id => id !== `person ${me.participant_id}`)
  return { room, control, page, offerAll, reported, received, visible, media: control.media }
}

describe('StageView', () => {
  it('receives exactly the videos of visible tiles, on every page and in every layout', async () => {
    const { room, offerAll, received, visible } = await stage(80)
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
    const { control, offerAll, reported, visible } = await stage(80)
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
    const { page, offerAll, received, visible } = await stage(9)
    await offerAll()
    expect(received()).toHaveLength(8)
    page.setVisible(false)
    expect(received()).toEqual([])
    expect(visible()).toHaveLength(8)
    page.setVisible(true)
    expect(received()).toHaveLength(8)
  })

  it('receives what a picture-in-picture window shows while the page is hidden, and nothing else', async () => {
    const { room, page, offerAll, received, reported } = await stage(9)
    await offerAll()
    const shown = room.stage.get().pip
    expect(shown).not.toBeNull()
    page.setVisible(false)
    room.stage.setPip({ width: 400, height: 260 })
    expect(received()).toEqual([shown])
    expect(reported().at(-1)?.shown?.width).toBe(800)
    room.stage.setPip(null)
    expect(received()).toEqual([])
  })

  it('reports sizes in device pixels', async () => {
    const { room, offerAll, reported } = await stage(9)
    await offerAll()
    const rect = room.stage.get().rects.get('person other0')
    const [first] = reported()
    expect(first?.shown?.width).toBe(Math.round((rect?.width ?? 0) * 2))
  })

  it('is larger as a whole where text is larger: what fits on a page depends on both', async () => {
    const { room } = await stage(80)
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
    const { room } = await stage(80)
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
