import { readdir, readFile } from 'node:fs/promises'
import type { Logger } from 'pino'

/** File descriptors of a process. */
export interface Descriptors {
  open: number
  limit: number
}

/** Null where the system does not say, or the process has ended. */
export async function readDescriptors(pid: number): Promise<Descriptors | null> {
  try {
    const [open, limits] = await Promise.all([
      readdir(`/proc/${pid}/fd`),
      readFile(`/proc/${pid}/limits`, 'utf8'),
    ])
    const limit = Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY)
    return { open: open.length, limit }
  } catch {
    return null
  }
}

/** 0 to 1. */
export const shareOf = ({ open, limit }: Descriptors): number => Math.min(1, open / limit)

const EVERY_MS = 5_000
const SCARCE_FROM = 0.8
const ENOUGH_BELOW = 0.6

/** Logs once when a media worker runs short of descriptors, and once when it has enough again. Returns what ends it. */
export function watchDescriptors(
  pid: number,
  log: Logger,
  read = readDescriptors,
  everyMs = EVERY_MS,
): () => void {
  let isScarce = false
  const check = async () => {
    const descriptors = await read(pid)
    if (!descriptors) return
    const share = shareOf(descriptors)
    if (!isScarce && share >= SCARCE_FROM) {
      isScarce = true
      log.error({ pid, ...descriptors }, 'media worker runs out of descriptors: too many TCP connections?')
    } else if (isScarce && share < ENOUGH_BELOW) {
      isScarce = false
      log.info({ pid, ...descriptors }, 'media worker has enough descriptors again')
    }
  }
  const timer = setInterval(() => void check(), everyMs)
  return () => clearInterval(timer)
}
