import { readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100 // of Linux, whatever the kernel is built with

const proc = (pid: number, file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8')

/** Resident memory of a process now, in MB (1,000,000 bytes). */
export function memoryOf(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(proc(pid, 'status'))?.[1]
  return (Number(kilobytes) * 1024) / 1e6
}

/** Seconds of processor time of a process so far, all its threads together. */
export function busyOf(pid: number): number {
  const [user, system] = proc(pid, 'stat')
    .replace(/^.*\) /, '')
    .split(' ')
    .slice(11, 13)
  return (Number(user) + Number(system)) / TICKS_PER_SECOND
}

export const childrenOf = (pid: number): number[] =>
  proc(pid, `task/${pid}/children`).split(' ').filter(Boolean).map(Number)

/** Seconds of processor time of a process and of all below it, also of those that have ended. */
export function busyBelow(pid: number): number {
  const own = proc(pid, 'stat')
    .replace(/^.*\) /, '')
    .split(' ')
    .slice(11, 15) // user, system, and both of the children that have ended
    .reduce((sum, ticks) => sum + Number(ticks), 0)
  return childrenOf(pid).reduce((sum, child) => sum + busyBelow(child), own / TICKS_PER_SECOND)
}

/** Of a worker that only stands by, before and after it has loaded. */
const STANDS_BY = /--stand-by|\(standby\)/

/** The child whose command line holds the word, at work. */
export function childOf(pid: number, word: string): number {
  const found = childrenOf(pid).find(child => {
    const command = proc(child, 'cmdline')
    return command.includes(word) && !STANDS_BY.test(command)
  })
  if (found === undefined) throw new Error(`${pid} has no child that is a ${word}`)
  return found
}
