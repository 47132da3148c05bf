import { readdirSync, readFileSync } from 'node:fs'

/** Descendants of a process whose command line contains the text. */
export function descendantsOf(pid: number, word: string): number[] {
  const running = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  const parents = new Map(running.map(name => [Number(name), parentOf(name)]))
  const isBelow = (id: number | undefined): boolean => {
    const parent = id === undefined ? undefined : parents.get(id)
    return parent === pid || (parent !== undefined && isBelow(parent))
  }
  return [...parents.keys()].filter(id => isBelow(id) && commandOf(id).includes(word))
}

/** The active worker of the service; undefined while there is none. */
export const workerOf = (pid: number, name: string): number | undefined => findByTitle(pid, `lectern ${name}`)

/** The standby worker of the service. */
export const standbyOf = (pid: number, name: string): number | undefined =>
  findByTitle(pid, `lectern ${name} (standby)`)

const findByTitle = (pid: number, title: string) =>
  descendantsOf(pid, title).find(id => commandOf(id).trim() === title)

/** A zombie process has no command line. */
export const isAlive = (pid: number): boolean => commandOf(pid) !== ''

/** Undefined for an exited process and for the init process. */
function parentOf(id: string): number | undefined {
  const afterName = read(`/proc/${id}/stat`).split(') ').at(-1)
  return Number(afterName?.split(' ')[1]) || undefined
}

const commandOf = (id: number): string => read(`/proc/${id}/cmdline`).replaceAll('\0', ' ')

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
