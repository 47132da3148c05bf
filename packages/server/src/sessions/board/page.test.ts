import { type CommandBody, VERSION_MAX } from '@lectern/protocol/control'
import { describe, expect, it } from 'vitest'
import { PageContent, type PageEditor } from './page.ts'
import type { StoredElement } from './ports.ts'

const PAGE = 'page0001'
const by = (userId: number, change = `by ${userId}`, mayChangeAll = false): PageEditor => ({
  userId,
  change,
  mayChangeAll,
})
const stroke = (element_id: string, version = 1, numbers = 6): CommandBody<'board.put'> => ({
  page_id: PAGE,
  element_id,
  version,
  kind: 'stroke',
  data: { points: Array(numbers).fill(1), color: '#000000', width: 2, duration_ms: 1 },
})
const empty = () => new PageContent(PAGE, { elements: [], deleted: [] })
const ids = (page: PageContent) => page.state().elements.map(({ element_id }) => element_id)

describe('the content of a page', () => {
  it('BOARD-6 shows what is stored, and checks commands against what is accepted', () => {
    const page = empty()
    const first = page.put(by(7), stroke('element-1'))
    expect(ids(page)).toEqual([])
    expect(page.put(by(7, 'other'), stroke('element-1', 2)).entries).toHaveLength(1)
    expect(() => page.put(by(8), stroke('element-1', 3))).toThrow(/somebody else/i)
    page.commit(first)
    expect(page.state().elements).toMatchObject([
      { element_id: 'element-1', version: 1, author_id: '7', z: 1 },
    ])
  })

  it('BOARD-13 takes elements above one that is as high as possible', () => {
    const page = empty()
    page.put(by(7), { ...stroke('element-1'), z: VERSION_MAX })
    expect(page.put(by(8), stroke('element-2')).entries).toMatchObject([{ z: VERSION_MAX }])
  })

  it('BOARD-13 takes 5,000 elements, and deletions and changes when it is full', () => {
    const page = empty()
    for (let i = 0; i < 5_000; i++) page.put(by(7), stroke(`element-${i}`))
    expect(() => page.put(by(7), stroke('element-x'))).toThrow(/page is full/i)
    expect(page.put(by(7, 'again'), stroke('element-1', 2)).entries).toHaveLength(1)
    expect(() => page.put(by(7, 'larger'), stroke('element-1', 3, 9))).not.toThrow()
    page.delete(by(7), [{ element_id: 'element-9', version: 2 }], 1)
    expect(page.put(by(7), stroke('element-x')).entries).toHaveLength(1)
  })

  it('BOARD-11 forgets the oldest of 5,000 deletions', () => {
    const page = empty()
    const deleteOne = (i: number) => {
      page.put(by(7), stroke(`element-${i}`))
      return page.delete(by(7), [{ element_id: `element-${i}`, version: 2 }], 1).changes
    }
    for (let i = 0; i < 5_000; i++) expect(deleteOne(i)).toHaveLength(1)
    expect(deleteOne(5_000)[1]).toEqual({ is: 'forgotten', elementIds: ['element-0'] })
  })

  it('BOARD-6 publishes many elements in several events, each small enough for a frame', () => {
    const page = empty()
    for (let i = 0; i < 12; i++) page.put(by(7), stroke(`element-${i}`, 1, 45_000))
    const versions = Array.from({ length: 12 }, (_, i) => ({ element_id: `element-${i}`, version: 2 }))
    page.delete(by(7), versions, 1)
    const contents = new Map(
      versions.map(({ element_id: elementId, version }) => {
        const { kind, data } = stroke(elementId, 1, 45_000)
        const element = { elementId, version, authorId: 7, z: 1, content: { kind, data }, change: 'x' }
        return [elementId, element as StoredElement]
      }),
    )
    const restored = page.restore(
      by(7),
      versions.map(each => ({ ...each, version: 3 })),
      contents,
    )
    expect(restored.skipped).toEqual([])
    expect(restored.events).toHaveLength(6)
    for (const event of restored.events) expect(JSON.stringify(event).length).toBeLessThan(250_000)
  })

  it('BOARD-11 does not restore a content that has changed since it was read', () => {
    const page = empty()
    page.put(by(7), stroke('element-1'))
    page.delete(by(7), [{ element_id: 'element-1', version: 2 }], 1)
    const old = { elementId: 'element-1', version: 1, authorId: 7, z: 1, change: 'x' } as StoredElement
    const { skipped } = page.restore(
      by(7),
      [{ element_id: 'element-1', version: 3 }],
      new Map([['element-1', old]]),
    )
    expect(skipped).toEqual(['element-1'])
  })

  it('BOARD-13 moves nothing out of the range of coordinates', () => {
    const page = empty()
    page.put(by(7), stroke('element-1'))
    const elements = [{ element_id: 'element-1', version: 2 }]
    expect(() => page.move(by(7), { dx: 100_000, dy: 0, elements })).toThrow()
    expect(page.move(by(7), { dx: 99_999, dy: 0, elements }).entries).toHaveLength(1)
  })

  it('BOARD-5 finds the events that lead to what is really stored', () => {
    const page = empty()
    page.commit(page.put(by(7), stroke('element-1')))
    page.commit(page.put(by(7), stroke('element-2')))
    const other = empty()
    other.commit(other.put(by(7), stroke('element-2', 2)))
    other.commit(other.put(by(7), stroke('element-3')))
    expect(page.differenceTo(other)).toMatchObject([
      { name: 'board.deleted', body: { elements: [{ element_id: 'element-1', version: 1 }] } },
      {
        name: 'board.elements',
        body: { elements: [{ element_id: 'element-2' }, { element_id: 'element-3' }] },
      },
    ])
  })
})
