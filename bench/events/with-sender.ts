import { fileURLToPath } from 'node:url'
import { TaskProcess } from '../support/tasks.ts'
import type { Databases } from './databases.ts'
import type { EventTasks } from './sender.ts'

const script = fileURLToPath(new URL('sender.ts', import.meta.url))
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
