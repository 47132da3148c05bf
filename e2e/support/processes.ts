import { readdirSync, readFileSync } from 'node:fs'

/** Processes below this one, at any depth, whose command line holds the word. */
export function below(pid: number, word: string): number[] {
  const running = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  const parents = new Map(running.map(name => [Number(name), parentOf(name)]))
  const isBelow = (id: number | undefined): boolean => {
    const parent = id === undefined ? undefined : parents.get(id)
    return parent === pid || (parent !== undefined && isBelow(parent))
  }
  return [...parents.keys()].filter(id => isBelow(id) && commandOf(id).includes(word))
}

/** The worker of the service that is at work; undefined while none is. */
export const workerOf = (pid: number, name: string): number | undefined => titled(pid, `lectern ${name}`)

/** The one that stands by. */
export const standbyOf = (pid: number, name: string): number | undefined =>
  titled(pid, `lectern ${name} (standby)`)

const titled = (pid: number, title: string) => below(pid, title).find(id => commandOf(id).trim() === title)

/** One that has ended, but whose end nobody has asked for yet, has no command line any more. */
export const isAlive = (pid: number): boolean => commandOf(pid) !== ''

/** Undefined for what has ended meanwhile, and for the first one. */
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
