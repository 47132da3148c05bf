import { readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100 // USER_HZ of Linux, independent of the kernel configuration

const proc = (pid: number, file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8')

/** The resident memory of a process in MB (1,000,000 bytes). */
export function memoryOf(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(proc(pid, 'status'))?.[1]
  return (Number(kilobytes) * 1024) / 1e6
}

/** The CPU seconds of a process with all threads. */
export function busyOf(pid: number): number {
  const [user, system] = proc(pid, 'stat')
    .replace(/^.*\) /, '')
    .split(' ')
    .slice(11, 13)
  return (Number(user) + Number(system)) / TICKS_PER_SECOND
}

export const childrenOf = (pid: number): number[] =>
  proc(pid, `task/${pid}/children`).split(' ').filter(Boolean).map(Number)

/** The CPU seconds of a process and all its descendants, including exited ones. */
export function busyBelow(pid: number): number {
  const own = proc(pid, 'stat')
    .replace(/^.*\) /, '')
    .split(' ')
    .slice(11, 15) // user and system time, of the process and of exited children
    .reduce((sum, ticks) => sum + Number(ticks), 0)
  return childrenOf(pid).reduce((sum, child) => sum + busyBelow(child), own / TICKS_PER_SECOND)
}

/** The command line of a standby worker, before and after loading. */
const IS_STANDBY = /--standby|\(standby\)/

/** The active child process whose command line contains the text. */
export function childOf(pid: number, word: string): number {
  const found = childrenOf(pid).find(child => {
    const command = proc(child, 'cmdline')
    return command.includes(word) && !IS_STANDBY.test(command)
  })
  if (found === undefined) throw new Error(`${pid} has no child that is a ${word}`)
  return found
}
