import type { Ticket } from '../control/member.ts'
import { serveTasks } from '../support/tasks.ts'
import { Student } from './student.ts'
import { encodePicture, encodeTestVideo, type VideoSize } from './test-video.ts'

// The process of participants without a browser, who stay until it is killed (e2e/support/students.ts).

const students: Student[] = []

const tasks = {
  /** Resolves when the server receives microphone and camera of all of them. */
  async join(
    url: string,
    tickets: Ticket[],
    size: VideoSize,
    keyFrameInterval?: number,
    frameMs?: number,
  ): Promise<void> {
    const media = { frames: await encodeTestVideo(size, keyFrameInterval), ...(frameMs && { frameMs }) }
    // One after the other: the order of participants is that of the tickets.
    for (const ticket of tickets) students.push(await Student.join(url, ticket, media))
  },

  /** The same with a picture for each. */
  async show(url: string, tickets: Ticket[], pictures: string[]): Promise<void> {
    for (const [index, ticket] of tickets.entries())
      students.push(await Student.join(url, ticket, { frames: await encodePicture(pictures[index] ?? '') }))
  },
}

export type Classroom = typeof tasks

serveTasks(tasks)
