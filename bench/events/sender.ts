import { fileURLToPath } from 'node:url'
import { TaskProcess } from '../support/tasks.ts'
import type { Databases } from './databases.ts'

/** The tasks of sender.mjs. */
interface EventTasks {
  open(main: string, integration: string, url: string, accounts: number): Promise<void>
  fill(count: number, days: number): Promise<void>
  prune(days: number): Promise<number[]>
  note(count: number): Promise<void>
  publish(): Promise<number>
  insertBare(count: number): Promise<number>
  deliver(): Promise<number>
  backlog(first: number, each: number): Promise<void>
  steady(perSecond: number, seconds: number): Promise<void>
}

const script = fileURLToPath(new URL('sender.mjs', import.meta.url))
let names = 0

/** Each sender has databases of its own. `url` is that of the receivers. */
export async function withSender<T>(
  { create }: Databases,
  url: string,
  accounts: number,
  work: (sender: TaskProcess<EventTasks>, main: string) => Promise<T>,
): Promise<T> {
  const sender = new TaskProcess<EventTasks>(script)
  try {
    const [main, integration] = await create(`events${++names}`)
    await sender.run('open', main, integration, url, accounts)
    return await work(sender, main)
  } finally {
    sender.stop()
  }
}
