import { describe, expect, it } from 'vitest'
import { History, withChanges } from './history.ts'
import { aText } from './testing.ts'

function makeStorage(text: string | null = null) {
  return {
    text,
    get() {
      return this.text
    },
    set(next: string) {
      this.text = next
    },
  }
}

const added = (id: string) => ({ is: 'added', pageId: 'p', ids: [id] }) as const

describe('the history of an author', () => {
  it('undoes by inverse steps, and does them again', () => {
    const history = new History(makeStorage())
    history.add(added('a'))
    history.add({ is: 'moved', pageId: 'p', ids: ['a'], dx: 5, dy: -2 })
    history.add({ is: 'changed', pageId: 'p', id: 'a', before: { color: 'red' }, after: { color: 'blue' } })
    expect(history.undo()).toMatchObject({ is: 'changed', after: { color: 'red' } })
    expect(history.undo()).toMatchObject({ is: 'moved', dx: -5, dy: 2 })
    expect(history.undo()).toMatchObject({ is: 'removed', ids: ['a'] })
    expect([history.undo(), history.canUndo, history.canRedo]).toEqual([null, false, true])
    expect(history.redo()).toEqual(added('a'))
    history.add({ is: 'removed', pageId: 'p', ids: ['a'] })
    expect([history.canRedo, history.redo()]).toEqual([false, null])
    expect(history.undo()).toMatchObject({ is: 'added', ids: ['a'] })
  })

  it('keeps 200 steps, also over a reload', () => {
    const storage = makeStorage()
    const history = new History(storage)
    for (let at = 0; at < 250; at++) history.add(added(`e${at}`))
    history.undo()
    const reloaded = new History(storage)
    expect(reloaded.redo()).toEqual(added('e249'))
    let steps = 0
    while (reloaded.undo()) steps++
    expect(steps).toBe(200)
  })

  it('stores less where steps are large, and begins anew where what is stored is not readable', () => {
    const storage = makeStorage('{"undo": 1}')
    const history = new History(storage)
    const ids = Array.from({ length: 5_000 }, (_, at) => `element-${at}`)
    for (let at = 0; at < 20; at++) history.add({ is: 'removed', pageId: 'p', ids })
    expect(storage.text?.length).toBeLessThan(500_001)
    expect(history.canUndo).toBe(true)
  })

  it('forgets what the server has refused', () => {
    const history = new History(makeStorage())
    history.add(added('a'))
    history.add(added('b'))
    history.forget('b')
    expect(history.undo()).toMatchObject({ ids: ['a'] })
  })

  it('changes parts of a content', () => {
    expect(withChanges(aText('t', 'x'), { text: 'y' }).data).toMatchObject({ text: 'y', size: 32 })
  })
})
