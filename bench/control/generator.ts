import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Tasks } from './clients.ts'

/** The process of the clients. It does one task at a time. */
export class Generator {
  readonly #child: ChildProcess = fork(fileURLToPath(new URL('clients.js', import.meta.url)))

  async ask<T extends keyof Tasks>(
    task: T,
    ...args: Parameters<Tasks[T]>
  ): Promise<Awaited<ReturnType<Tasks[T]>>> {
    this.#child.send({ task, args })
    const [{ result, error }] = await once(this.#child, 'message')
    if (error) throw new Error(error)
    return result
  }

  stop(): void {
    this.#child.kill('SIGKILL')
  }
}
