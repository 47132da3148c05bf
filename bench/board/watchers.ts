import { parentPort, workerData } from 'node:worker_threads'
import type { Ticket } from '../control/member.ts'
import { Drawer } from './drawer.ts'

// A thread of those who only watch, so that what they receive delays no command of those who draw. Answers each message
// with the strokes that all of them have.

const { url, tickets } = workerData as { url: string; tickets: Ticket[] }
const watchers: Drawer[] = []
for (const [i, ticket] of tickets.entries()) watchers.push(await Drawer.open(url, ticket, `watcher-${i}`))
const pages = await Promise.all(watchers.map(async watcher => (await watcher.watch()).page))
const report = () => parentPort?.postMessage(Math.min(...pages.map(({ elements }) => elements.size)))
parentPort?.on('message', report)
report()
