import { spawn } from 'node:child_process'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { bubblewrap } from './bubblewrap.ts'
import { limited } from './limits.ts'

/** A program, and what it may have. */
export interface Task {
  /** The command: a program of /usr/bin, and its arguments. */
  command: readonly string[]
  /** Files that it reads, by the names that it sees in its folder. */
  files?: Readonly<Record<string, string>>
  stdin?: Buffer
  /** How many outputs it writes: its standard output, then the descriptors 3, 4, … */
  outputs?: number
  /** Limit of processor time, so that a busy machine changes nothing; then the program is killed. */
  withinMs: number
  /** The output that it may write in total. */
  maxBytes: number
  /** How many files it may have open. */
  openFiles?: number
}

export interface TaskResult {
  /** Null: it was killed. */
  code: number | null
  outputs: Buffer[]
  stderr: string
  /** Why it was killed. */
  ended: 'exit' | 'time' | 'output'
}

const STDERR_MAX = 16_384
const OPEN_FILES = 64
/** A program that takes this many times its processor time hangs. */
const PATIENCE = 6
/** How a shell and bubblewrap report SIGXCPU and SIGKILL, which the kernel sends at the limit. */
const KILLED = [128 + 24, 128 + 9]

/** Runs programs on hostile files. */
export interface Sandbox {
  run(task: Task, signal?: AbortSignal): Promise<TaskResult>
}

/** Programs see /usr and what the task names, read-only, and nothing of the network (docs/slides.md). */
export const isolated: Sandbox = {
  run: (task, signal) => {
    const files = task.files ?? {}
    return start([...limits(task), ...bubblewrap(files), ...task.command], task, '/', signal)
  },
}

/** Limits of time and memory only, for machines on which bubblewrap cannot run. */
export const unprotected: Sandbox = {
  run: async (task, signal) => {
    const folder = await mkdtemp(join(tmpdir(), 'lectern-convert-'))
    try {
      const links = Object.entries(task.files ?? {})
      await Promise.all(links.map(([name, path]) => symlink(path, join(folder, name))))
      return await start([...limits(task), ...task.command], task, folder, signal)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}

const limits = ({ withinMs, openFiles = OPEN_FILES }: Task) => limited(withinMs, openFiles)

function start(
  [program = '', ...args]: readonly string[],
  { stdin, outputs = 1, withinMs, maxBytes }: Task,
  cwd: string,
  signal?: AbortSignal,
): Promise<TaskResult> {
  const more = Array.from({ length: outputs - 1 }, () => 'pipe' as const)
  const child = spawn(program, args, {
    cwd,
    // Nothing of the environment of the worker.
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8', HOME: '/nonexistent' },
    stdio: ['pipe', 'pipe', 'pipe', ...more],
    // A group of its own, so that what the program has started ends with it.
    detached: true,
  })
  return new Promise((resolve, reject) => {
    let ended: TaskResult['ended'] = 'exit'
    let left = maxBytes
    const kill = (why: TaskResult['ended']) => {
      ended = ended === 'exit' ? why : ended
      try {
        if (child.pid) process.kill(-child.pid, 'SIGKILL')
      } catch {
        // it has ended
      }
    }
    const timer = setTimeout(() => kill('time'), withinMs * PATIENCE)
    const onAbort = () => kill('time')
    signal?.addEventListener('abort', onAbort)
    if (signal?.aborted) onAbort()
    const pieces: Buffer[][] = Array.from({ length: outputs }, () => [])
    const streams = [child.stdout, ...child.stdio.slice(3)] as Readable[]
    for (const [index, stream] of streams.entries())
      stream.on('data', (piece: Buffer) => {
        left -= piece.length
        if (left < 0) kill('output')
        else pieces[index]?.push(piece)
      })
    let stderr = ''
    child.stderr.on('data', (piece: Buffer) => {
      if (stderr.length < STDERR_MAX) stderr += piece.toString('latin1')
    })
    child.stdin.on('error', () => {}) // it did not read all of it
    child.stdin.end(stdin)
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
    child.once('error', error => {
      end()
      reject(error)
    })
    child.once('close', code => {
      end()
      if (ended === 'exit' && (code === null || KILLED.includes(code))) ended = 'time'
      if (signal?.aborted) return reject(signal.reason)
      resolve({ code, outputs: pieces.map(each => Buffer.concat(each)), stderr, ended })
    })
  })
}
