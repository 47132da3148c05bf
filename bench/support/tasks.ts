import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

type Work = (...args: never[]) => Promise<unknown>

/** A child process that runs one task at a time. */
export class TaskProcess<Tasks extends { [name in keyof Tasks]: Work }> {
  readonly #child: ChildProcess
  readonly #exited: Promise<never>

  constructor(script: string) {
    this.#child = fork(script)
    process.once('exit', this.stop)
    this.#exited = once(this.#child, 'exit').then(([code, signal]) => {
      throw new Error(`${script} ended (${signal ?? code})`)
    })
    this.#exited.catch(() => {}) // reported to callers of run()
  }

  get pid(): number {
    return this.#child.pid as number
  }

  async run<T extends keyof Tasks & string>(
    task: T,
    ...args: Parameters<Tasks[T]>
  ): Promise<Awaited<ReturnType<Tasks[T]>>> {
    this.#child.send({ task, args })
    const [{ result, error }] = await Promise.race([once(this.#child, 'message'), this.#exited])
    if (error) throw new Error(error)
    return result
  }

  readonly stop = (): void => {
    process.off('exit', this.stop)
    this.#child.kill('SIGKILL')
  }
}

/** Runs in the child process: serves its tasks. */
export function serveTasks(tasks: Record<string, Work>): void {
  process.on('message', ({ task, args }: { task: string; args: never[] }) => {
    const work = tasks[task] as Work
    work(...args).then(
      result => process.send?.({ result }),
      error => process.send?.({ error: `${task}: ${error.message}` }),
    )
  })
}
