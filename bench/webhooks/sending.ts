import { setTimeout as sleep } from 'node:timers/promises'
import { serveTasks } from '../support/tasks.ts'

/** Posts events to receivers. */
export interface Sender {
  /** The receivers have the paths /0, /1 and so on. The database is created in the folder. */
  open(receivers: number, url: string, folder: string): Promise<void>
  /** Resolves when the event is queued; every event has its own `subject`. */
  post(receiver: number, subject: string): Promise<void>
}

/** What an event contains. */
export const dataOf = (subject: string) => ({
  transcription: {
    ...{ id: subject, job_id: subject, conference_tag: 'tag', conference_session_id: 1, status: 'completed' },
    ...{ language: 'en', started_at_ms: 1, ended_at_ms: 2, reason: 'completed', segments: [] },
    text: 'Please open the book on page 42. '.repeat(30),
  },
})

/** The concurrency of a typical service. */
const AT_A_TIME = 50
const STEP_MS = 20

const tasksOf = (sender: Sender) => {
  let receivers = 0
  let posted = 0
  /** Posts to all receivers in turn. */
  const next = () => {
    const subject = `transcription:job-${posted}`
    return sender.post(posted++ % receivers, subject)
  }
  return {
    async open(count: number, url: string, folder: string): Promise<void> {
      receivers = count
      await sender.open(count, url, folder)
    },

    /** Posts events to every receiver as fast as possible. Returns the start time. */
    async burst(each: number): Promise<number> {
      const begun = Date.now()
      const work = async () => {
        while (posted < receivers * each) await next()
      }
      await Promise.all(Array.from({ length: AT_A_TIME }, work))
      return begun
    },

    /** Posts events to each of the first receivers. */
    async backlog(first: number, each: number): Promise<void> {
      for (let event = 0; event < first * each; event++)
        await sender.post(event % first, `transcription:backlog-${event}`)
    },

    async steady(perSecond: number, seconds: number): Promise<void> {
      const begun = performance.now()
      for (let passed = 0; passed < seconds; passed = (performance.now() - begun) / 1000) {
        const due = Math.floor(passed * perSecond) - posted
        await Promise.all(Array.from({ length: due }, next))
        await sleep(STEP_MS)
      }
    },
  }
}

export type SenderTasks = ReturnType<typeof tasksOf>

/** Serves the sender in a child process. */
export const serveSender = (sender: Sender): void => serveTasks(tasksOf(sender))
