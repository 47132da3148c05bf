import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'
import { tokenOf } from './links.ts'
import { becomeGuest, signInByLink } from './members.ts'

/** Its tasks are in bench/classroom/clients.ts. */
const program = fileURLToPath(new URL('../../bench/classroom/clients.ts', import.meta.url))

const LANDSCAPE = { width: 320, height: 180 }
export const PORTRAIT = { width: 180, height: 320 }

interface Joining {
  url: string
  /** The tag of the conference. */
  tag: string
  /** Of guests; or the personal links of people. */
  names?: readonly string[]
  links?: readonly string[]
  size?: { width: number; height: number }
}

/**
 * Adds participants without a browser who send real RTP: a silent microphone, and a camera with a moving test pattern in
 * VP8. They leave when the function is called that it resolves with, at the latest after the tests of the file.
 */
export function useStudents(): (joining: Joining) => Promise<() => void> {
  const processes: ChildProcess[] = []
  afterAll(() => {
    for (const each of processes) each.kill('SIGKILL')
  })
  return async ({ url, tag, names = [], links = [], size = LANDSCAPE }) => {
    const guests = names.map(async name => ({ token: (await becomeGuest(url, name)).access_token, tag }))
    const people = links.map(async link => {
      const { access_token } = await signInByLink(link)
      return { token: access_token, tag, joinToken: tokenOf(link) }
    })
    const tickets = await Promise.all([...guests, ...people])
    const child = fork(program)
    processes.push(child)
    child.send({ task: 'join', args: [url, tickets, size] })
    const exited = once(child, 'exit').then(() => {
      throw new Error('the participants without a browser have ended')
    })
    const [{ error }] = await Promise.race([once(child, 'message'), exited])
    if (error) throw new Error(error)
    return () => void child.kill('SIGKILL')
  }
}
