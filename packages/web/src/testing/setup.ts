import '../ui/tokens.css'
import '../ui/base.css'
import { afterEach, expect } from 'vitest'
import { cdp } from 'vitest/browser'
import { cleanup } from 'vitest-browser-react'
import { leaveCalls } from '../call/testing/open-calls.ts'

/** Lines that the page logs without a failure of an assertion, such as a warning of React, fail the test, too. */
const logged: string[] = []
const { error } = console
console.error = (...args: unknown[]) => {
  logged.push(args.map(String).join(' '))
  error(...args)
}

/** The developer tools of this page; the types of the test runner do not know its commands. */
const devtools = () => cdp() as { send: (method: string, parameters: object) => Promise<unknown> }

afterEach(async () => {
  await cleanup()
  leaveCalls()
  // Where one test leaves the pointer, the next one would have a button that looks different.
  await devtools().send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: 0, y: 0 })
  localStorage.clear()
  sessionStorage.clear()
  expect(logged.splice(0)).toEqual([])
})
