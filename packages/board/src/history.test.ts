import { describe, expect, it } from 'vitest'
import { History, type Step, withChanges } from './history.ts'
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

const elementsOf = (...ids: string[]) => ids.map(element_id => ({ element_id, version: 1 }))
const added = (id: string): Step => ({ is: 'added', pageId: 'p', elements: elementsOf(id) })

/** Undoes or redoes, and returns what that means. */
function done(history: History, what: 'undo' | 'redo'): Step | null {
  let ran: Step | null = null
  history[what](step => {
    ran = step
    return { ...step, elements: step.elements.map(each => ({ ...each, version: each.version + 1 })) }
  })
  return ran
}

describe('the history of an author', () => {
  it('undoes by inverse steps, and does them again', () => {
    const history = new History(makeStorage())
    const elements = elementsOf('a')
    history.add(added('a'))
    history.add({ is: 'moved', pageId: 'p', elements, dx: 5, dy: -2 })
    history.add({ is: 'changed', pageId: 'p', elements, before: { color: 'red' }, after: { color: 'blue' } })
    expect(done(history, 'undo')).toMatchObject({ is: 'changed', after: { color: 'red' } })
    expect(done(history, 'undo')).toMatchObject({ is: 'moved', dx: -5, dy: 2 })
    expect(done(history, 'undo')).toMatchObject({ is: 'removed', elements })
    expect([done(history, 'undo'), history.canUndo, history.canRedo]).toEqual([null, false, true])
    // With the version that undoing gave it.
    expect(done(history, 'redo')).toEqual({ ...added('a'), elements: [{ element_id: 'a', version: 2 }] })
    history.add({ is: 'removed', pageId: 'p', elements })
    expect([history.canRedo, done(history, 'redo')]).toEqual([false, null])
    expect(done(history, 'undo')).toMatchObject({ is: 'added', elements })
  })

  it('keeps 200 steps, also over a reload', () => {
    const storage = makeStorage()
    const history = new History(storage)
    for (let at = 0; at < 250; at++) history.add(added(`e${at}`))
    done(history, 'undo')
    const reloaded = new History(storage)
    expect(done(reloaded, 'redo')).toMatchObject({ is: 'added', elements: [{ element_id: 'e249' }] })
    let steps = 0
    while (done(reloaded, 'undo')) steps++
    expect(steps).toBe(200)
  })

  it('stores less where steps are large, and begins anew where what is stored is not readable', () => {
    const storage = makeStorage('{"undo": 1}')
    const history = new History(storage)
    const elements = elementsOf(...Array.from({ length: 5_000 }, (_, at) => `element-${at}`))
    for (let at = 0; at < 5; at++) history.add({ is: 'removed', pageId: 'p', elements })
    expect(storage.text?.length).toBeLessThan(500_001)
    expect(history.canUndo).toBe(true)
  })

  it('forgets what the server has refused', () => {
    const history = new History(makeStorage())
    history.add(added('a'))
    history.add(added('b'))
    history.forget('b')
    expect(done(history, 'undo')).toMatchObject({ elements: elementsOf('a') })
  })

  it('changes parts of a content', () => {
    expect(withChanges(aText('t', 'x'), { text: 'y' }).data).toMatchObject({ text: 'y', size: 32 })
  })
})
