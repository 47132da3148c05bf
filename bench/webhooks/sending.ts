import { setTimeout as sleep } from 'node:timers/promises'
import { answerTasks } from '../support/tasks.ts'

/** Whoever posts events to receivers. */
export interface Sender {
  /** The receivers are at the paths /0, /1 and so on. A store goes into the folder. */
  open(receivers: number, url: string, folder: string): Promise<void>
  /** Resolves when the event will be posted; `subject` is another one for each. */
  tell(receiver: number, subject: string): Promise<void>
}

/** As many things go on in a service at a time. */
const AT_A_TIME = 50
const STEP_MS = 20

const tasksOf = (sender: Sender) => {
  let receivers = 0
  let told = 0
  /** All of them in turn. */
  const next = () => {
    const subject = `transcription:job-${told}`
    return sender.tell(told++ % receivers, subject)
  }
  return {
    async open(count: number, url: string, folder: string): Promise<void> {
      receivers = count
      await sender.open(count, url, folder)
    },

    /** So many events to each receiver, as fast as they are taken. Tells when it began. */
    async burst(each: number): Promise<number> {
      const begun = Date.now()
      const work = async () => {
        while (told < receivers * each) await next()
      }
      await Promise.all(Array.from({ length: AT_A_TIME }, work))
      return begun
    },

    /** So many events to each of the first receivers. */
    async backlog(first: number, each: number): Promise<void> {
      for (let event = 0; event < first * each; event++)
        await sender.tell(event % first, `transcription:backlog-${event}`)
    },

    async steady(perSecond: number, seconds: number): Promise<void> {
      const begun = performance.now()
      for (let passed = 0; passed < seconds; passed = (performance.now() - begun) / 1000) {
        const due = Math.floor(passed * perSecond) - told
        await Promise.all(Array.from({ length: due }, next))
        await sleep(STEP_MS)
      }
    },
  }
}

export type SenderTasks = ReturnType<typeof tasksOf>

/** Makes a process of it. */
export const serveSender = (sender: Sender): void => answerTasks(tasksOf(sender))
