import { describe, expect, it } from 'vitest'
import { aParticipant } from '../../../call/testing/session.ts'
import { LAYOUTS } from '../selection/layout.ts'
import { tilesOf } from '../tiles/tiles.ts'
import { coveredBy, FACE_CROP, FILL_CROP } from '../video/video-zoom.ts'
import type { Rect } from './geometry.ts'
import { FIRST_CORNER, nearestCorner } from './own-view.ts'
import { type PlanInput, planStage } from './plan.ts'
import { isInside, overlaps, STAGES } from './testing.ts'

const me = aParticipant('me')
const SIZE = { width: 1416, height: 770 }

const tilesFor = (people: number) => {
  const others = Array.from({ length: people - 1 }, (_, at) => aParticipant(`p${at}`, { user_id: `${at}` }))
  return tilesOf({ participants: [me, ...others] }, me, new Map())
}

const plan = (people: number, parts: Partial<PlanInput> = {}) =>
  planStage({
    size: SIZE,
    tiles: tilesFor(people),
    large: null,
    layout: 'grid',
    page: 0,
    showsOwnView: true,
    ratios: new Map(),
    side: null,
    corner: FIRST_CORNER,
    speaker: null,
    spotlit: null,
    ...parts,
  })

const ids = (people: number, parts: Partial<PlanInput> = {}) => [...plan(people, parts).rects.keys()].sort()

describe('planStage', () => {
  it.each(LAYOUTS)(
    'gives the other one of two people the whole stage, and the own view a corner: %s',
    layout => {
      const { rects, large, overlay, pager } = plan(2, { layout })
      expect([large, overlay, pager]).toEqual(['person p0', 'person me', null])
      expect(rects.get('person p0')).toEqual({ left: 0, top: 0, ...SIZE })
      const own = rects.get('person me')
      expect((own?.width ?? 0) * (own?.height ?? 0)).toBeLessThan(0.06 * SIZE.width * SIZE.height)
    },
  )

  it('does not move the own view when the second person joins', () => {
    const alone = plan(1)
    expect(alone.waiting).toEqual({ left: 0, top: 0, ...SIZE })
    expect(alone.rects.get('person me')).toEqual(plan(2).rects.get('person me'))
    expect(plan(2).waiting).toBeNull()
  })

  it('halves an upright stage between two people, or one and the note that nobody else is there', () => {
    const size = { width: 374, height: 700 }
    const whole = { left: 0, top: 0, ...size }
    const { rects, large, overlay, isFilled } = plan(2, { size })
    const [above, below] = ['person p0', 'person me'].map(id => rects.get(id))
    expect(above).toEqual({ ...whole, height: 346 })
    expect(below).toEqual({ ...whole, top: 354, height: 346 })
    expect([large, overlay, isFilled]).toEqual([null, null, true])
    const alone = plan(1, { size })
    expect([alone.waiting, alone.rects.get('person me')]).toEqual([above, below])
    expect(plan(2, { size, showsOwnView: false }).rects.get('person p0')).toEqual(whole)
    expect(plan(1, { size, showsOwnView: false }).waiting).toEqual(whole)
  })

  it('enlarges the other one of two people on an upright stage, with the own view in any of its corners', () => {
    const size = { width: 374, height: 700 }
    const seen = new Set<string>()
    for (const block of ['top', 'bottom'] as const)
      for (const inline of ['start', 'end'] as const) {
        const enlarged = plan(2, { size, large: 'person p0', corner: { block, inline } })
        expect(enlarged.rects.get('person p0')).toEqual({ left: 0, top: 0, ...size })
        expect(enlarged.overlay).toBe('person me')
        const own = enlarged.rects.get('person me')
        if (!own) throw new Error('the own view was expected')
        expect(isInside(size)(own)).toBe(true)
        const centre = { left: own.left + own.width / 2, top: own.top + own.height / 2 }
        expect(nearestCorner(size, centre)).toEqual({ block, inline })
        seen.add(`${own.left} ${own.top}`)
      }
    expect(seen.size).toBe(4)
  })

  it('gives the own view the shape of the camera, on every stage', () => {
    for (const size of STAGES)
      for (const ownVideo of [
        { width: 640, height: 360 },
        { width: 640, height: 480 },
        { width: 360, height: 640 },
      ]) {
        const own = plan(2, {
          size,
          large: 'person p0',
          ratios: new Map([['person me', ownVideo.width / ownVideo.height]]),
        }).rects.get('person me')
        expect((own?.width ?? 0) / (own?.height ?? 1)).toBeCloseTo(ownVideo.width / ownVideo.height)
        expect(own && isInside(size)(own)).toBe(true)
        expect(own?.width).toBeLessThanOrEqual(size.width / 3 + 0.01)
        expect(own?.height).toBeLessThanOrEqual(size.height / 2 + 0.01)
      }
  })

  it.each([1, 2, 3, 9])('leaves the own view out if it is hidden: %i people', people => {
    for (const large of [null, ...(people > 2 ? ['person p0'] : [])]) {
      const shown = ids(people, { showsOwnView: false, large })
      expect(shown).not.toContain('person me')
      expect(shown).toHaveLength(people - 1)
    }
  })

  it('shows the hidden own view while it is pinned', () => {
    expect(ids(3, { showsOwnView: false, large: 'person me' })).toContain('person me')
  })

  it('shows every tile on exactly one page, whatever the layout, the window and the number of people', () => {
    for (const size of STAGES)
      for (const people of [3, 4, 9, 30, 120])
        for (const layout of LAYOUTS)
          for (const large of [null, 'person p1']) {
            const seen: string[] = []
            const first = plan(people, { size, layout, large })
            for (let page = 0; page < (first.pager?.pages ?? 1); page++) {
              const each = plan(people, { size, layout, large, page })
              const rects = [...each.rects.values(), ...(each.pager ? [each.pager.rect] : [])]
              expect(rects.every(isInside(size))).toBe(true)
              expect(overlaps(rects)).toBe(false)
              expect(each.rects.size).toBeLessThanOrEqual(49)
              expect(each.rects.size + (each.pager?.more ?? 0)).toBe(people)
              seen.push(...[...each.rects.keys()].filter(id => id !== large))
            }
            expect(new Set(seen).size).toBe(seen.length)
            expect(seen).toHaveLength(large === null ? people : people - 1)
          }
  })

  it('has the own tile at the end of the first page, and other people before it where a page has one tile', () => {
    const size = { width: 304, height: 124 } // a window of 320 × 240
    const parts = { size, layout: 'speaker', large: 'person p0' } as const
    expect(ids(3, parts)).toEqual(['person p0', 'person p1'])
    expect(ids(3, { ...parts, page: 1 })).toEqual(['person me', 'person p0'])
    const presentation = { layout: 'presentation', large: 'person p0' } as const
    expect(ids(9, presentation)).toEqual(['person me', 'person p0', 'person p1'])
    expect(ids(9, { ...presentation, page: 1 })).not.toContain('person me')
    expect([...plan(120).rects.keys()].at(-1)).toBe('person me')
    expect([...plan(9).rects.keys()][0]).toBe('person me')
  })

  it('has raised hands on the first page, in their order, and moves nobody where all are visible', () => {
    const raised = (people: number) =>
      tilesFor(people).map(tile => {
        const at = new Map([
          ['p90', 7],
          ['p3', 9],
        ]).get(tile.participant.participant_id)
        return { ...tile, participant: { ...tile.participant, hand_raised_at_ms: at ?? null } }
      })
    expect([...plan(120, { tiles: raised(120) }).rects.keys()].slice(0, 3)).toEqual([
      'person p90',
      'person p3',
      'person p0',
    ])
    const beside = plan(120, { tiles: raised(120), layout: 'speaker', large: 'person p0' })
    expect([...beside.rects.keys()].slice(0, 2)).toEqual(['person p90', 'person p3'])
    expect([...plan(9, { tiles: raised(9) }).rects.keys()]).toEqual(tilesFor(9).map(({ id }) => id))
  })

  it('has moderators first, for the others, however late they have come', () => {
    const led = (people: number) =>
      tilesFor(people).map(tile => {
        const isLed = ['p1', 'me'].includes(tile.participant.participant_id)
        return isLed ? { ...tile, participant: { ...tile.participant, role: 'moderator' as const } } : tile
      })
    for (const people of [5, 120])
      for (const parts of [{}, { layout: 'speaker', large: 'person p0' } as const]) {
        const [first, second] = plan(people, { tiles: led(people), ...parts }).rects.keys()
        expect([first, second === 'person p1']).toEqual(['person p1', false])
      }
  })

  it('ends the tiles of people where their videos do, so that no bars are beside them', () => {
    const ratios = new Map(tilesFor(9).map(({ id }) => [id, 16 / 9]))
    for (const size of STAGES)
      for (const people of size.width < size.height ? [2, 3, 7, 9] : [3, 7, 9])
        for (const large of [null, 'person p0'])
          for (const [id, rect] of plan(people, { size, large, ratios }).rects) {
            const crop = size.width < size.height ? FILL_CROP : FACE_CROP
            if (id !== 'person me')
              expect(coveredBy({ width: 16 / 9, height: 1 }, rect, crop).width).toBeCloseTo(rect.width, 1)
          }
    const standing = new Map([['person p0', 9 / 16]])
    expect(plan(2, { ratios: standing }).rects.get('person p0')).toEqual({ left: 0, top: 0, ...SIZE })
  })

  it('has no bars beside the other one of two people on a wide stage, and the own view beside the video', () => {
    const size = { width: 752, height: 276 } // a phone that lies
    const ratios = new Map(tilesFor(2).map(({ id }) => [id, 16 / 9]))
    for (const inline of ['start', 'end'] as const) {
      const { rects } = plan(2, { size, ratios, corner: { block: 'bottom', inline } })
      const [other, own] = [rects.get('person p0'), rects.get('person me')] as [Rect, Rect]
      expect(coveredBy({ width: 16 / 9, height: 1 }, other).width).toBeCloseTo(other.width, 1)
      expect(other.height).toBe(size.height)
      expect([other, own].every(isInside(size))).toBe(true)
      expect(overlaps([other, own])).toBe(false)
      expect(nearestCorner(size, { left: own.left + own.width / 2, top: own.top }).inline).toBe(inline)
    }
    const alone = plan(2, { size, ratios, showsOwnView: false }).rects.get('person p0') as Rect
    expect(alone.left).toBeCloseTo((size.width - alone.width) / 2)
  })

  it('has the own view beside the video of the other one, or wholly on it: never across its edge', () => {
    for (let width = 240; width <= 1_600; width += 97)
      for (let height = 160; height <= 1_000; height += 97)
        for (const ratio of [4 / 3, 16 / 9])
          for (const inline of ['start', 'end'] as const)
            for (const block of ['top', 'bottom'] as const) {
              const size = { width, height }
              const ratios = new Map(tilesFor(2).map(({ id }) => [id, ratio]))
              const { rects, overlay } = plan(2, { size, ratios, corner: { block, inline } })
              const [other, own] = [rects.get('person p0'), rects.get('person me')] as [Rect, Rect]
              expect([other, own].every(isInside(size))).toBe(true)
              if (overlay === null || !overlaps([other, own])) continue
              const onPicture = { ...own, left: own.left - other.left, top: own.top - other.top }
              expect([size, isInside(other)(onPicture)]).toEqual([size, true])
            }
  })

  it('halves a stage that is nearly a square between two people, and leaves one that lies to the other one', () => {
    expect(plan(2, { size: { width: 752, height: 830 } }).overlay).toBeNull()
    expect(plan(2, { size: { width: 830, height: 752 } }).overlay).toBe('person me')
  })

  it('has tiles of one shape below a large one, in which cameras that lie fill them', () => {
    const size = { width: 374, height: 725 }
    const tiles = (ratio: number) => {
      const ratios = new Map(tilesFor(9).map(({ id }) => [id, ratio]))
      const { rects } = plan(9, { size, layout: 'speaker', large: 'person p0', ratios })
      return [...rects].flatMap(([id, { width, height }]) => (id === 'person p0' ? [] : width / height))
    }
    for (const shape of tiles(16 / 9)) expect(shape).toBeCloseTo((16 / 9) * 0.55)
    for (const shape of tiles(9 / 16)) expect(shape).toBeLessThan(0.95)
  })

  it('has the person in the spotlight first beside what is large', () => {
    for (const people of [5, 60]) {
      const { rects } = plan(people, { layout: 'speaker', large: 'person p0', spotlit: '3' })
      expect([...rects.keys()][0]).toBe('person p3')
    }
  })

  it('shows the last page if there are fewer than requested', () => {
    expect(plan(120, { page: 99 }).pager).toMatchObject({ page: 2, pages: 3 })
    expect(plan(3, { page: 99 }).rects.size).toBe(3)
  })

  it('has 49 tiles on a page of the grid', () => {
    const { rects, pager } = plan(120)
    expect(rects.size).toBe(49)
    expect(pager).toMatchObject({ page: 0, pages: 3, more: 71 })
  })

  it('has two people beside the large tile of a presentation: the speaker and this participant', () => {
    const parts = { layout: 'presentation', large: 'person p0', speaker: 'p7' } as const
    expect(ids(9, parts)).toEqual(['person me', 'person p0', 'person p7'])
    expect(plan(9, parts).pager).toMatchObject({ more: 6 })
  })

  it('is empty before the stage has a size', () => {
    const { rects, waiting } = plan(1, { size: { width: 0, height: 0 } })
    expect([rects.size, waiting]).toEqual([0, null])
  })
})
