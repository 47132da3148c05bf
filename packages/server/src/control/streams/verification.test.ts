import { describe, expect, it } from 'vitest'
import { lossless } from '../../compose/cluster/single-server.ts'
import { type EventDelivery, Verification } from './verification.ts'

class TestDelivery implements EventDelivery {
  everyMs = 60_000
  lose = () => {}
  verifyEveryMs = () => this.everyMs
  onLost(handler: () => void) {
    this.lose = handler
  }
}

describe('the verification of what events change', () => {
  const setUp = (count: number) => {
    let nowMs = 1_000_000
    const delivery = new TestDelivery()
    const items = Array.from({ length: count }, (_, id) => ({ id }))
    const verification = new Verification<{ id: number }>(delivery, () => nowMs)
    const wait = (ms: number) => {
      nowMs += ms
      return verification.takeDue(items).map(({ id }) => id)
    }
    return { delivery, items, verification, wait }
  }

  it('covers everything once in the given period', () => {
    const { wait } = setUp(2)
    expect(wait(0)).toEqual([])
    expect(wait(59_999)).toEqual([])
    expect(wait(1)).toEqual([0, 1])
    expect(wait(1_000)).toEqual([])
    expect(wait(59_000)).toEqual([0, 1])
  })

  it('covers everything soon after a loss, in batches, and repeats failures', () => {
    const { delivery, items, verification, wait } = setUp(150)
    wait(0)
    wait(1_000)
    delivery.lose()
    const first = wait(1_000)
    verification.repeat(items[first[0] as number] as { id: number })
    const second = wait(1_000)
    expect([first.length, second.length]).toEqual([100, 51])
    expect(new Set([...first, ...second]).size).toBe(150)
    expect(wait(1_000)).toEqual([])
  })

  it('does not run on a single server', () => {
    const verification = new Verification<object>(lossless, () => 1)
    expect(verification.takeDue([{}])).toEqual([])
  })
})
