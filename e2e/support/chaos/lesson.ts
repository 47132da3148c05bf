import { setTimeout as sleep } from 'node:timers/promises'
import type { PartnerClient } from '@lectern/partner'
import type { OpenTab } from '../browser.ts'
import { watchContinuity } from '../continuity.ts'
import { LESSON } from '../links.ts'
import { becomeGuest, type useMembers } from '../members.ts'
import type { Report } from '../report.ts'
import { recordJoinedSessions } from '../sessions.ts'
import { Visitor } from '../visitor.ts'
import { waitFor } from '../wait.ts'
import type { useWebhookReceiver } from '../webhook-receiver.ts'
import { ChatAuthor } from './chat-author.ts'
import { capturedBytes, type Deployment } from './deployment.ts'
import { type Flow, pollFlow } from './flow.ts'
import type { Invariants } from './invariants.ts'
import { describeState } from './state.ts'

/** What lessons need. */
export interface Stage {
  partner: PartnerClient
  deployment: Deployment
  invariants: Invariants
  receiver: ReturnType<typeof useWebhookReceiver>
  openTab: OpenTab
  enter: ReturnType<typeof useMembers>
  /** The addresses at which teacher and student enter. */
  entries: [teacher: string, student: string]
  /** Starts the transcription of a conference; absent: lessons are not transcribed. */
  transcribe?: (tag: string) => Promise<void>
}

/** What happened to the deployment during a lesson. */
export interface Failures {
  /** The sum of the times until everything flowed again. */
  failedMs: number
  /** How many transcribers were killed, also together with their server. */
  lostTranscribers: number
}

/** A failure shows within this time. */
const NOTICED_AFTER_MS = 2_500

/** Something flows again when it has happened so often. */
const FLOWS_AFTER = 3

/** A recording may miss this much at its beginning and end, besides the time of failures. */
const UNRECORDED_MS = 4_000

/** Recorder and transcriber finish after the lesson, also when they are killed again and again on a busy machine. */
const FINISHED_WITHIN_MS = 1_200_000

/** A recorded lesson of a teacher and a student in browsers, with two guests who send chat messages all the time. */
export class ChaosLesson {
  readonly flows: Flow[]
  readonly tag: string
  readonly #stage: Stage
  readonly #name: string
  readonly #people: Visitor[]
  readonly #authors: ChatAuthor[]
  /** The session of every join of a page. */
  readonly #joined: string[][]
  readonly #continuity: Awaited<ReturnType<typeof watchContinuity>>[]
  readonly #watching: AbortController
  readonly #session: number
  readonly #startedAt = Date.now()
  #endedAt = 0

  private constructor(
    stage: Stage,
    name: string,
    tag: string,
    people: [Visitor, Visitor],
    authors: ChatAuthor[],
    joined: string[][],
    continuity: Awaited<ReturnType<typeof watchContinuity>>[],
  ) {
    this.#stage = stage
    this.#continuity = continuity
    this.#name = name
    this.tag = tag
    this.#people = people
    this.#authors = authors
    this.#joined = joined
    this.#session = Number(joined[0]?.[0])
    const [teacher, student] = people
    this.#watching = new AbortController()
    const { signal } = this.#watching
    this.flows = [
      pollFlow('video for the teacher', () => framesOf(teacher, 'Mia Andersson'), signal),
      pollFlow('video for the student', () => framesOf(student, 'Anna Petrova'), signal),
      pollFlow('recording', () => capturedBytes(stage.deployment, this.#session), signal),
      ...authors.map(({ flow }) => flow),
    ]
  }

  static async begin(stage: Stage, name: string): Promise<ChaosLesson> {
    const { partner, entries, openTab, enter, invariants } = stage
    const { tag, teacher_join_url, student_join_url } = await partner.createRoom(name, LESSON)
    const joined: string[][] = []
    const continuity: Awaited<ReturnType<typeof watchContinuity>>[] = []
    const join = async (link: string, entry: string) => {
      const tab = await openTab('about:blank')
      invariants.page(tab.page)
      joined.push(recordJoinedSessions(tab.page))
      continuity.push(await watchContinuity(tab.page))
      await tab.page.goto(new URL(new URL(link).pathname, entry).href)
      return Visitor.join(tab)
    }
    const people: [Visitor, Visitor] = [
      await join(teacher_join_url, entries[0]),
      await join(student_join_url, entries[1]),
    ]
    const authors = await Promise.all(
      entries.map(async (url, index) => {
        const account = await becomeGuest(url, `Guest ${index}`)
        const member = enter({ url, tag, account, onFrame: invariants.client() })
        return new ChatAuthor(`${name} author ${index}`, await member.waitForJoin())
      }),
    )
    await Promise.all([people[0].waitForVideo('Mia Andersson'), people[1].waitForVideo('Anna Petrova')])
    await people[1].page.getByText('REC', { exact: true }).waitFor()
    await stage.transcribe?.(tag)
    for (const author of authors) author.start()
    return new ChaosLesson(stage, name, tag, people, authors, joined, continuity)
  }

  get messages(): number {
    return this.#authors.reduce((sum, { count }) => sum + count, 0)
  }

  /** The sessions that anybody has joined: one, if all is well. */
  get sessions(): Set<number | string> {
    const joins = this.#authors.flatMap(({ member }) => member.joins)
    const results = joins.map(join =>
      join instanceof Error ? `refused: ${join.code}` : join.conference_session_id,
    )
    return new Set([...this.#joined.flat(), ...results])
  }

  /** What teacher and student have joined and opened so far: it stays the same while nobody's media is interrupted. */
  readContinuity = (): Promise<unknown[]> => Promise.all(this.#continuity.map(read => read()))

  /** Waits until both have received further frames of each other. */
  async waitForVideo(): Promise<void> {
    const from = Date.now()
    const videos = this.flows.filter(({ name }) => name.startsWith('video'))
    await waitFor(() => videos.every(video => video.countSince(from) >= FLOWS_AFTER), 'both see each other')
  }

  /** Waits until chat, video and recording flow, without any action of the users. */
  async waitForFlow(timeoutMs: number): Promise<void> {
    await sleep(NOTICED_AFTER_MS)
    const from = Date.now()
    const stalled = () => this.flows.filter(flow => flow.countSince(from) < FLOWS_AFTER)
    await waitFor(() => stalled().length === 0, 'everything flows again', timeoutMs).catch(() => {
      const missing = stalled().map(({ name }) => `no ${name}`)
      throw new Error(`After ${timeoutMs} ms: ${missing.join(', ')}.`)
    })
  }

  /** What the servers and pages say now. */
  describeState = (): Promise<string> =>
    describeState(
      this.#stage.entries,
      this.#people.map(({ page }) => page),
    )

  /** The longest interruptions since a moment, in milliseconds. */
  outageSince(from: number) {
    const [teacher, student, recording, ...chat] = this.flows.map(flow => flow.longestGapSince(from))
    return {
      chatMs: Math.max(...chat),
      videoMs: Math.max(Number(teacher), Number(student)),
      recordingMs: Number(recording),
    }
  }

  /** Checks the chat, then the partner closes the room. */
  async end(): Promise<string[]> {
    for (const author of this.#authors) await author.stop()
    const [first] = this.#authors
    const history = (await first?.member.history()) ?? []
    const mistakes = this.#authors.flatMap(author => author.mistakes(history))
    const { sessions } = this
    if (sessions.size !== 1) mistakes.push(`there were several sessions: ${[...sessions].join(' ')}`)
    this.#watching.abort()
    this.#endedAt = Date.now()
    await this.#stage.partner.closeRoom(this.#name)
    await Promise.all(this.#people.map(({ page }) => page.close()))
    for (const { member } of this.#authors) member.leave()
    return mistakes
  }

  /** Waits for the jobs and webhooks of the ended lesson; returns what is wrong with them and the recording. */
  async checkRecords({ failedMs, lostTranscribers }: Failures): Promise<string[]> {
    const { receiver, deployment } = this.#stage
    const findJobs = () => deployment.jobsOf(this.#session)
    const isOver = async () => {
      const jobs = await findJobs()
      return jobs.length > 0 && jobs.every(({ state }) => state !== 'queued' && state !== 'leased')
    }
    await waitFor(isOver, `the jobs of ${this.#name} end`, FINISHED_WITHIN_MS)
    const jobs = await findJobs()
    const countOf = (kind: string, state: string) =>
      jobs.filter(job => job.kind === kind && job.state === state).length
    const mistakes: string[] = []
    if (countOf('recording', 'done') !== 1 || jobs.filter(({ kind }) => kind === 'recording').length !== 1)
      mistakes.push(`the jobs are ${jobs.map(({ kind, state }) => `${kind} ${state}`).join(', ')}`)
    // A run whose transcriber died fails, and is not delivered (docs/transcription.md).
    if (countOf('transcription', 'failed') > lostTranscribers)
      mistakes.push(
        `${countOf('transcription', 'failed')} transcriptions failed, ${lostTranscribers} transcribers died`,
      )

    for (const kind of ['recording', 'transcription']) {
      const ids = () =>
        new Set(
          receiver.of(this.tag).flatMap(({ event }) => (event.type === `${kind}.ready` ? [event.id] : [])),
        )
      await waitFor(
        () => ids().size >= countOf(kind, 'done'),
        `every webhook of ${this.#name}`,
        FINISHED_WITHIN_MS,
      )
      if (ids().size > countOf(kind, 'done')) mistakes.push(`${ids().size} deliveries of one ${kind}`)
    }
    return [...mistakes, ...(await this.#checkCoverage(failedMs))]
  }

  async #checkCoverage(failedMs: number): Promise<string[]> {
    const { partner, receiver } = this.#stage
    const ready = receiver.of(this.tag).find(({ event }) => event.type === 'recording.ready')?.event
    if (ready?.type !== 'recording.ready') return [`there is no recording of ${this.#name}`]
    const { recording } = ready.data
    const report = recording.files.find(({ path }) => path === 'report.json')
    const { tracks } = (await (await partner.downloadBlob(String(report?.url))).json()) as Report
    const expectedMs = this.#endedAt - this.#startedAt
    const mistakes: string[] = []
    if (recording.duration_ms < expectedMs - UNRECORDED_MS)
      mistakes.push(`${recording.duration_ms} ms of ${expectedMs} ms are recorded`)
    // A participant who joins again after a failure has another id: both cameras are counted together.
    const cameras = tracks.filter(({ source }) => source === 'camera')
    const recordedMs = cameras.reduce((sum, { duration_ms }) => sum + duration_ms, 0) / this.#people.length
    if (recordedMs < expectedMs - failedMs - UNRECORDED_MS)
      mistakes.push(`${recordedMs} of ${expectedMs} ms of a camera are recorded; ${failedMs} ms failed`)
    return mistakes
  }
}

/** Counts received frames of a participant's video; 0 while there is none. */
const framesOf = ({ page }: Visitor, name: string): Promise<number> =>
  page.evaluate(label => {
    const videos = [...document.querySelectorAll('video')]
    const video = videos.find(each => each.getAttribute('aria-label') === label)
    return video?.getVideoPlaybackQuality().totalVideoFrames ?? 0
  }, name)
