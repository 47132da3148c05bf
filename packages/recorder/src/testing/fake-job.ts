import { copyFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { SessionView } from '@lectern/control-client'
import { emptySession } from '@lectern/control-client/testing/session'
import type { BoardListener, HeldJob, IncomingTrack, ObservedEvent, UploadFile } from '@lectern/worker-kit'

type Person = SessionView['participants'][number]

/** A job whose session is simulated by a test. Uploads are copied to a folder. */
export class FakeJob implements HeldJob {
  readonly job
  readonly #stop = new AbortController()
  readonly #drain = new AbortController()
  readonly stop: AbortSignal = this.#stop.signal
  readonly drain: AbortSignal = this.#drain.signal
  readonly log: HeldJob['log'] = { warn: () => {}, error: () => {} }
  readonly reports: boolean[] = []
  readonly uploaded: UploadFile[] = []
  #view: SessionView | null = null
  #tracks: IncomingTrack[] = []
  #eventListeners = new Set<(event: ObservedEvent) => void>()
  /** The listener through which the recording follows the board. */
  board: BoardListener | null = null
  #take = new Set<(track: IncomingTrack) => void>()

  readonly folder: string
  readonly #archive: string

  constructor(folder: string, archive: string, params: Record<string, unknown> = {}) {
    this.folder = folder
    this.#archive = archive
    this.job = {
      ...{
        job_id: 'job-1',
        kind: 'recording' as const,
        scope: 'partner_auto',
        conference_tag: 'k7mq-x2wd9-rtnh',
      },
      ...{ conference_session_id: '42', params, attempt: 1, details: {}, lease_ms: 10_000, stop: false },
    }
  }

  session = () => this.#view

  onSession(listener: (event: ObservedEvent) => void) {
    this.#eventListeners.add(listener)
    return () => this.#eventListeners.delete(listener)
  }

  followBoard(listener: BoardListener) {
    this.board = listener
    return () => {}
  }

  onTrack(listener: (track: IncomingTrack) => void) {
    this.#take.add(listener)
    for (const track of this.#tracks) listener(track)
    return () => this.#take.delete(listener)
  }

  progress({ active }: { active: boolean }) {
    this.reports.push(active)
  }

  async publishPhrases() {}

  /** Anna, the first of `people`. */
  externalIds = async () => new Map([['1', 'teacher-1']])

  async download() {}

  async upload(files: UploadFile[]) {
    for (const { file, path } of files) {
      const to = join(this.#archive, path)
      await mkdir(dirname(to), { recursive: true })
      await copyFile(file, to)
    }
    this.uploaded.push(...files)
    return files.map(({ path }) => ({ path, blobId: `blob-${path}` }))
  }

  /** Sets the participants from that moment on. */
  people(names: string[], atMs: number) {
    const participants = names.map(
      (name, index): Person => ({
        ...{
          participant_id: `42.1.${index + 1}`,
          user_id: String(index + 1),
          display_name: name,
          presence: 'here',
        },
        ...{
          role: index === 0 ? 'moderator' : 'participant',
          hand_raised_at_ms: null,
          joined_at_ms: Math.round(atMs) + index,
        },
      }),
    )
    const parts = { started_at_ms: 0, recording: true, participants }
    this.#view = {
      ...emptySession({ conference_tag: 'k7mq-x2wd9-rtnh', conference_session_id: '42', ...parts }),
      ended: null,
    }
    this.#emit('participant.changed', {}, atMs)
  }

  /** A chat message, which does not change the state that a recording reads. */
  chat(message_id: string, text: string, atMs: number) {
    const message = { message_id, user_id: '1', display_name: 'Anna', text, sent_at_ms: atMs }
    this.#emit('chat.message', { message }, atMs)
  }

  /** Null: the hand is lowered. */
  raiseHand(participantId: string, raisedAtMs: number | null, atMs: number) {
    const view = this.#view as SessionView
    const participants = view.participants.map(each =>
      each.participant_id === participantId ? { ...each, hand_raised_at_ms: raisedAtMs } : each,
    )
    this.#view = { ...view, participants }
    this.#emit('participant.changed', {}, atMs)
  }

  /** Null: nobody is in the spotlight. */
  spotlight(spotlight_user_id: string | null, atMs: number) {
    this.#view = { ...(this.#view as SessionView), spotlight_user_id }
    this.#emit('conference.spotlight', { user_id: spotlight_user_id }, atMs)
  }

  add(track: IncomingTrack) {
    this.#tracks.push(track)
    for (const take of this.#take) take(track)
  }

  endSession(atMs: number) {
    this.#view = null
    this.#emit('session.ended', { reason: 'left' }, atMs)
  }

  askToStop() {
    this.#stop.abort('requested')
  }

  lose() {
    this.#stop.abort('lost')
  }

  leave() {
    this.#drain.abort(new Error('draining'))
  }

  #emit(name: string, body: Record<string, unknown>, atMs: number) {
    for (const listener of this.#eventListeners) listener({ name, body, atMs })
  }
}
