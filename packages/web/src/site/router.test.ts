import { expect, it } from 'vitest'
import type { Address } from '../address.ts'
import type { Visit } from '../visit.ts'
import { type Route, Router } from './router.ts'

/** A fake window with an address and a history. */
class FakeWindow extends EventTarget {
  readonly #paths: string[]
  constructor(path: string) {
    super()
    this.#paths = [path]
  }
  readonly location = Object.defineProperty({} as Location, 'pathname', { get: () => this.#paths.at(-1) })
  readonly history = {
    pushState: (_data: unknown, _title: string, path: string) => void this.#paths.push(path),
    replaceState: (_data: unknown, _title: string, path: string) => void this.#paths.splice(-1, 1, path),
  } as unknown as History
  back(): void {
    this.#paths.pop()
    this.dispatchEvent(new Event('popstate'))
  }
}

it('navigates between pages and back, and closes each visit that it leaves', () => {
  const closed: string[] = []
  const open = (address: Address): Route => {
    if (address.is === 'sso-return') throw new Error('not visited here')
    if (address.is !== 'link' && address.is !== 'conference') return address
    const path = address.is === 'link' ? address.token : address.tag
    return { is: 'visit', path, visit: {} as Visit, isPersonal: false, close: () => void closed.push(path) }
  }
  const frame = new FakeWindow('/conferences/fox')
  const route = new Router(frame, open)
  expect(route.get()).toMatchObject({ is: 'visit', path: 'fox' })
  route.go('/')
  expect([route.get().is, closed]).toEqual(['home', ['fox']])
  route.go('/conferences/owl')
  frame.back()
  expect([route.get().is, closed]).toEqual(['home', ['fox', 'owl']])
  frame.back()
  expect(route.get()).toMatchObject({ is: 'visit', path: 'fox' })
})

it('replaces a page, so that the way back does not lead to it', () => {
  const frame = new FakeWindow('/')
  const route = new Router(frame, address => address as Route)
  route.go('/meetings')
  route.replace('/calls/5')
  expect(route.get()).toMatchObject({ page: 'calls', parts: ['5'] })
  frame.back()
  expect(route.get()).toMatchObject({ page: 'conversations' })
})
