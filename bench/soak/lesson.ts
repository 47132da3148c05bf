import { setTimeout as sleep } from 'node:timers/promises'
import type { RandomChoices } from '@lectern/common/testing'
import type { PartnerClient } from '@lectern/partner'
import { Student } from '../classroom/student.ts'
import { Account } from './accounts.ts'
import { ChatAuthor } from './chat-author.ts'
import { checkHistory } from './chat-check.ts'
import { ChatMember } from './chat-member.ts'
import type { Progress } from './progress.ts'

/** What lessons need. */
export interface Stage {
  url: string
  partner: PartnerClient
  progress: Progress
  choices: RandomChoices
  /** The RTP payloads of a test video, and Opus packets of speech. */
  frames: Buffer[][]
  speech: Buffer[]
  /** Starts the transcription of a conference. */
  transcribe: (tag: string) => Promise<void>
}

export interface LessonPlan {
  name: string
  endsAtMs: number
  authors: number
  messagesPerSecond: number
  /** Participants who send RTP: the first one speaks, `cameras` of them have a camera. */
  students: number
  cameras: number
  isTranscribed: boolean
  /** By the partner, or because all leave. */
  ends: 'closed' | 'left'
  /** Between two changes of who is there, on average. */
  churnSeconds: number
}

const TEACHER = { display_name: 'Teacher', external_id: 'teacher' }

/** A lesson that has ended, whose recording and webhooks are still to be checked. */
export interface EndedLesson {
  plan: LessonPlan
  tag: string
  durationMs: number
}

/** A recorded lesson of members without browsers, who write, speak, come, go and lose their connections. */
export class SoakLesson {
  readonly tag: string
  readonly #stage: Stage
  readonly #plan: LessonPlan
  readonly #teacher: ChatMember
  /** Those who have left, too. */
  readonly #authors: ChatAuthor[] = []
  #present: ChatAuthor[] = []
  readonly #students: { slot: number; student: Student }[] = []
  readonly #startedAtMs = Date.now()
  readonly #received = new Set<string>()
  #raised = false
  #people = 0

  private constructor(stage: Stage, plan: LessonPlan, tag: string, teacher: ChatMember) {
    this.#stage = stage
    this.#plan = plan
    this.tag = tag
    this.#teacher = teacher
    teacher.onMessage = ({ message_id, text }) => {
      if (this.#received.has(message_id)) stage.progress.mistake(`${plan.name}: "${text}" was received twice`)
      this.#received.add(message_id)
    }
  }

  static async begin(stage: Stage, plan: LessonPlan): Promise<SoakLesson> {
    const { url, partner, progress } = stage
    const room = await partner.createRoom(plan.name, { teacher: TEACHER })
    const link = room.teacher_join_url
    const account = await Account.byLink(link)
    const teacher = await ChatMember.join({ url, account, tag: room.tag, joinToken: tokenOf(link) })
    const lesson = new SoakLesson(stage, plan, room.tag, teacher)
    progress.count('lessons')
    for (let i = 0; i < plan.students; i++) await lesson.#addStudent(i)
    for (let i = 0; i < plan.authors; i++) await lesson.#addAuthor()
    if (plan.isTranscribed) await stage.transcribe(room.tag)
    return lesson
  }

  /** Runs the lesson to its planned end, and checks its chat. */
  async run(): Promise<EndedLesson> {
    const plan = this.#plan
    const { progress } = this.#stage
    while (Date.now() < plan.endsAtMs) {
      const leftMs = plan.endsAtMs - Date.now()
      await sleep(Math.min(leftMs, (0.5 + this.#random()) * plan.churnSeconds * 1000))
      if (Date.now() < plan.endsAtMs)
        await this.#change().catch(error => progress.failed(`a change in ${plan.name}`, error))
    }
    await Promise.all(this.#present.map(author => author.stop()))
    await this.#checkChat()
    const durationMs = Date.now() - this.#startedAtMs
    if (plan.ends === 'closed') await this.#stage.partner.closeRoom(plan.name)
    this.#leave()
    return { plan, tag: this.tag, durationMs }
  }

  #random = () => this.#stage.choices.below(1_000) / 1_000

  async #change(): Promise<void> {
    const { choices } = this.#stage
    const author = choices.pick(this.#present)
    const changes: (() => Promise<void>)[] = [
      async () => this.#cut(author.member),
      async () => this.#cut(this.#teacher),
      () => this.#replaceAuthor(author),
      () => this.#replaceStudent(),
      async () => {
        this.#raised = !this.#raised
        await this.#teacher.raiseHand(this.#raised)
      },
    ]
    await choices.pick(changes)()
  }

  #cut(member: ChatMember): void {
    member.cut()
    this.#stage.progress.count('reconnects')
  }

  async #replaceAuthor(author: ChatAuthor): Promise<void> {
    await author.stop()
    author.member.leave()
    this.#present = this.#present.filter(each => each !== author)
    this.#stage.progress.count('leaves')
    await this.#addAuthor()
  }

  async #addAuthor(): Promise<void> {
    const { url, progress } = this.#stage
    const name = `${this.#plan.name} author ${this.#authors.length}`
    const account = await Account.guest(url, `Guest ${++this.#people}`)
    const author = new ChatAuthor(name, await ChatMember.join({ url, account, tag: this.tag }))
    progress.count('joins')
    this.#authors.push(author)
    this.#present.push(author)
    const pauseMs = (1_000 * this.#plan.authors) / this.#plan.messagesPerSecond
    author.start(progress, () => (0.5 + this.#random()) * pauseMs)
  }

  /** The oldest one leaves. */
  async #replaceStudent(): Promise<void> {
    const oldest = this.#students.shift()
    if (!oldest) return
    oldest.student.leave()
    this.#stage.progress.count('leaves')
    await this.#addStudent(oldest.slot)
  }

  async #addStudent(slot: number): Promise<void> {
    const { url, frames, speech, progress } = this.#stage
    const account = await Account.guest(url, `Student ${++this.#people}`)
    const media = {
      frames: slot < this.#plan.cameras ? frames : [],
      ...(slot % 2 === 0 && { speech }),
    }
    const ticket = { tag: this.tag, token: await account.token() }
    this.#students.push({ slot, student: await Student.join(url, ticket, media) })
    progress.count('joins')
  }

  async #checkChat(): Promise<void> {
    const { progress } = this.#stage
    for (const mistake of await checkHistory(this.#authors, this.#teacher.history()))
      progress.mistake(mistake)
    const acknowledged = this.#authors.reduce((sum, author) => sum + author.acknowledged.size, 0)
    // A connection that was new to the server got the newest messages as its state, and not as events.
    if (this.#teacher.rejoins === 0 && this.#received.size < acknowledged)
      progress.mistake(`${this.#plan.name}: ${this.#received.size} of ${acknowledged} messages were received`)
  }

  #leave(): void {
    for (const { member } of this.#present) member.leave()
    for (const { student } of this.#students.splice(0)) student.leave()
    this.#teacher.leave()
  }
}

const tokenOf = (link: string) => new URL(link).pathname.replace('/j/', '')
