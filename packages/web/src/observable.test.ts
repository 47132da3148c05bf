import { describe, expect, it } from 'vitest'
import { Observable } from './observable.ts'

class Counter extends Observable<number> {
  fed = false
  readonly put = (value: number) => this.set(value)
  protected override onFirst() {
    this.fed = true
  }
  protected override onLast() {
    this.fed = false
  }
}

describe('Observable', () => {
  it('tells every change, and nothing else', () => {
    const counter = new Counter(0)
    const seen: number[] = []
    const stop = counter.subscribe(() => seen.push(counter.get()))
    counter.put(1)
    counter.put(1)
    counter.put(2)
    stop()
    counter.put(3)
    expect(seen).toEqual([1, 2])
    expect(counter.get()).toBe(3)
  })

  it('is fed while someone listens', () => {
    const counter = new Counter(0)
    const [stopOne, stopTwo] = [counter.subscribe(() => {}), counter.subscribe(() => {})]
    stopOne()
    stopOne()
    expect(counter.fed).toBe(true)
    stopTwo()
    expect(counter.fed).toBe(false)
  })
})
