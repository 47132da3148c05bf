import type { Call } from '../call.ts'

const calls: Call[] = []

export const noteCall = (call: Call) => void calls.push(call)

/** Leaves the calls of a test: each of them looks at its tracks ten times a second until then. */
export function leaveCalls(): void {
  for (const call of calls.splice(0)) call.leave()
}
