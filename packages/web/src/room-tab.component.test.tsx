import { afterEach, expect, it } from 'vitest'
import { holdLock } from './hold-lock.ts'
import { RoomTab } from './room-tab.ts'

/** The locks of the browser: of one page, as all tabs have the same ones. */
const tabs: RoomTab[] = []
const aTab = () => {
  const tab = new RoomTab(navigator.locks)
  tabs.push(tab)
  return tab
}
afterEach(() => {
  for (const tab of tabs.splice(0)) tab.release()
})

it('is taken over by the page after a reload, and not by a copy of the tab', async () => {
  const [first, copy, reloaded] = [aTab(), aTab(), aTab()]
  expect(await first.claim('fox', 'a')).toBe(true)
  expect(await first.claim('fox', 'a')).toBe(true)
  expect(await copy.claim('fox', 'a')).toBe(false)
  const claimed = reloaded.claim('fox', 'a')
  first.release()
  expect(await claimed).toBe(true)
})

it('is known to the other tabs while it is in the room', async () => {
  const [first, other] = [aTab(), aTab()]
  expect(await other.isElsewhere('fox')).toBe(false)
  await first.claim('fox', 'a')
  expect([await first.isElsewhere('fox'), await other.isElsewhere('fox')]).toEqual([false, true])
  expect(await other.isElsewhere('owl')).toBe(false)
  first.release()
  await expect.poll(() => other.isElsewhere('fox')).toBe(false)
})

it('is the only one where the browser has no locks, or blocks them', async () => {
  const blocked = {
    request: () => Promise.reject(new DOMException('', 'SecurityError')),
    query: () => Promise.reject(new DOMException('', 'SecurityError')),
  } as unknown as LockManager
  for (const locks of [undefined, blocked]) {
    const tab = new RoomTab(locks)
    expect([await tab.claim('fox', 'a'), await tab.isElsewhere('fox')]).toEqual([true, false])
  }
  expect(await holdLock(undefined, 'x', {}, Promise.resolve())).toBe(true)
})
