import { describe, expect, it, vi } from 'vitest'
import { Emitter } from './emitter.ts'
import { Observable, WritableObservable } from './observable.ts'

describe('Emitter', () => {
  it('calls every listener until it is removed, the same function as often as it was added', () => {
    const emitter = new Emitter<number>()
    const listener = vi.fn()
    const remove = emitter.on(listener)
    emitter.on(listener)
    emitter.emit(1)
    remove()
    emitter.emit(2)
    expect(listener.mock.calls).toEqual([[1], [1], [2]])
  })

  it('calls the other listeners when one throws, and reports the error as uncaught', () => {
    const thrown: (() => void)[] = []
    vi.stubGlobal('queueMicrotask', (report: () => void) => thrown.push(report))
    const emitter = new Emitter<string>()
    const listener = vi.fn()
    emitter.on(() => {
      throw new Error('broken listener')
    })
    emitter.on(listener)
    emitter.emit('event')
    vi.unstubAllGlobals()
    expect(listener).toHaveBeenCalledWith('event')
    expect(thrown[0]).toThrow('broken listener')
  })
})

describe('Observable', () => {
  it('notifies subscribers of changes, and not of equal values', () => {
    const value = new WritableObservable('a')
    const seen: string[] = []
    const unsubscribe = value.subscribe(() => seen.push(value.get()))
    for (const next of ['a', 'b', 'b', 'c']) value.set(next)
    unsubscribe()
    value.set('d')
    expect(seen).toEqual(['b', 'c'])
  })

  it('lets subclasses update the value only while there are subscribers', () => {
    const calls: string[] = []
    class Fed extends Observable<number> {
      protected override onFirstSubscribe = () => void calls.push('first')
      protected override onLastUnsubscribe = () => void calls.push('last')
    }
    const value = new Fed(0)
    const [one, other] = [value.subscribe(() => {}), value.subscribe(() => {})]
    one()
    one()
    expect(calls).toEqual(['first'])
    other()
    expect(calls).toEqual(['first', 'last'])
  })
})
