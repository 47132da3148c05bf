import '../ui/tokens.css'
import '../ui/base.css'
import { afterEach, expect } from 'vitest'
import { cleanup } from 'vitest-browser-react'
import { leaveCalls } from '../call/testing/open-calls.ts'

/** What the page logs without a failure of an assertion, such as a warning of React, fails the test, too. */
const logged: string[] = []
const { error } = console
console.error = (...args: unknown[]) => {
  logged.push(args.map(String).join(' '))
  error(...args)
}

afterEach(async () => {
  await cleanup()
  leaveCalls()
  localStorage.clear()
  sessionStorage.clear()
  expect(logged.splice(0)).toEqual([])
})
