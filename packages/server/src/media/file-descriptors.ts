import { readdir, readFile } from 'node:fs/promises'
import type { Logger } from 'pino'

/** Open file descriptors of a process, and their limit. */
export interface FileDescriptorUsage {
  open: number
  limit: number
}

/** Null on systems without /proc, and when the process has exited. */
export async function readFileDescriptorUsage(pid: number): Promise<FileDescriptorUsage | null> {
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
export const usageRatio = (open: number, limit: number): number => Math.min(1, open / limit)

const CHECK_INTERVAL_MS = 5_000
const SCARCE_RATIO = 0.8
const RECOVERED_RATIO = 0.6

/** Logs once when a media worker runs short of file descriptors, and once when it recovers. Returns a stop function. */
export function monitorFileDescriptors(
  pid: number,
  log: Logger,
  read = readFileDescriptorUsage,
  everyMs = CHECK_INTERVAL_MS,
): () => void {
  let isScarce = false
  const check = async () => {
    const descriptors = await read(pid)
    if (!descriptors) return
    const share = usageRatio(descriptors.open, descriptors.limit)
    if (!isScarce && share >= SCARCE_RATIO) {
      isScarce = true
      log.error(
        { pid, ...descriptors },
        'media worker is running out of file descriptors: limit TCP connections, or raise the limit of open files',
      )
    } else if (isScarce && share < RECOVERED_RATIO) {
      isScarce = false
      log.info({ pid, ...descriptors }, 'media worker has enough file descriptors again')
    }
  }
  const timer = setInterval(() => void check(), everyMs)
  return () => clearInterval(timer)
}
