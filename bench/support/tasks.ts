import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

type Work = (...args: never[]) => Promise<unknown>

/** A process that does one task at a time when it is asked. */
export class TaskProcess<Tasks extends { [name in keyof Tasks]: Work }> {
  readonly #child: ChildProcess
  readonly #gone: Promise<never>

  constructor(script: string) {
    this.#child = fork(script)
    process.once('exit', this.stop)
    this.#gone = once(this.#child, 'exit').then(([code, signal]) => {
      throw new Error(`${script} ended (${signal ?? code})`)
    })
    this.#gone.catch(() => {}) // told to whoever asks
  }

  get pid(): number {
    return this.#child.pid as number
  }

  async ask<T extends keyof Tasks & string>(
    task: T,
    ...args: Parameters<Tasks[T]>
  ): Promise<Awaited<ReturnType<Tasks[T]>>> {
    this.#child.send({ task, args })
    const [{ result, error }] = await Promise.race([once(this.#child, 'message'), this.#gone])
    if (error) throw new Error(error)
    return result
  }

  readonly stop = (): void => {
    process.off('exit', this.stop)
    this.#child.kill('SIGKILL')
  }
}

/** The other end: what the process can do. */
export function answerTasks(tasks: Record<string, Work>): void {
  process.on('message', ({ task, args }: { task: string; args: never[] }) => {
    const work = tasks[task] as Work
    work(...args).then(
      result => process.send?.({ result }),
      error => process.send?.({ error: `${task}: ${error.message}` }),
    )
  })
}
