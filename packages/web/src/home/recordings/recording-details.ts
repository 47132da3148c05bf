import { Observable } from '@lectern/common'
import type {
  FileLinkResponse,
  OwnRecordingResponse,
  OwnTranscriptResponse,
  TranscriptPhrase,
} from '@lectern/protocol'
import type { Account } from '../../identity/account.ts'
import { type Attendee, type Chapter, LESSON_FILES, readAttendance, readChapters } from './lesson.ts'
import { RECORDINGS_PATH } from './recordings.ts'

export type RecordingState =
  | { is: 'loading' }
  | { is: 'missing' }
  | { is: 'unknown' } // the request failed
  | { is: 'known'; recording: OwnRecordingResponse; transcript: TranscriptView; lesson: LessonView }

export type TranscriptView =
  | { is: 'none' | 'loading' | 'processing' | 'unknown' }
  | { is: 'known'; language: string; phrases: readonly TranscriptPhrase[]; isTruncated: boolean }

/** The recorder's report about the lesson; empty until it is loaded, and for recordings of earlier versions. */
export interface LessonView {
  /** An address that works for a few minutes. */
  poster: string | null
  chapters: readonly Chapter[]
  attendance: readonly Attendee[]
}

const NO_LESSON: LessonView = { poster: null, chapters: [], attendance: [] }

/** More than are spoken in a day, so that the memory of the page is bounded. */
export const PHRASES_MAX = 200_000

/** One recording of the signed-in user, with its transcript. */
export class RecordingDetails extends Observable<RecordingState> {
  readonly #request: Account['request']
  readonly #path: string
  #hasLesson = false

  constructor({ request }: Pick<Account, 'request'>, id: string) {
    super({ is: 'loading' })
    this.#request = request
    this.#path = `${RECORDINGS_PATH}/${encodeURIComponent(id)}`
  }

  readonly load = async (): Promise<void> => {
    if (this.get().is !== 'known') this.set({ is: 'loading' })
    const answer = await this.#request({ method: 'GET', path: this.#path })
    if (answer.is !== 'ok') {
      const isMissing = answer.is === 'refused' && [400, 404].includes(answer.status)
      if (this.get().is !== 'known' || isMissing) this.set({ is: isMissing ? 'missing' : 'unknown' })
      return
    }
    const recording = answer.body as OwnRecordingResponse
    const before = this.get()
    const isShown = before.is === 'known' && before.transcript.is === 'known'
    const { transcript: progress } = recording
    const transcript: TranscriptView = isShown
      ? before.transcript
      : { is: progress === 'ready' ? 'loading' : progress }
    const lesson = before.is === 'known' ? before.lesson : NO_LESSON
    this.set({ is: 'known', recording, transcript, lesson })
    await Promise.all([
      this.#loadLesson(recording),
      progress === 'ready' && !isShown ? this.#loadTranscript() : null,
    ])
  }

  /** A link to a file, valid for a few minutes; null: it was not given. */
  readonly linkTo = async (blobId: string): Promise<string | null> => {
    const answer = await this.#request({ method: 'POST', path: `${this.#pathTo(blobId)}/link`, body: {} })
    return answer.is === 'ok' ? (answer.body as FileLinkResponse).url : null
  }

  /** Permanent. Resolves with its success; another tab may have been faster. */
  readonly remove = async (): Promise<boolean> => {
    const answer = await this.#request({ method: 'DELETE', path: this.#path })
    return answer.is === 'ok' || (answer.is === 'refused' && answer.code === 'recording_not_found')
  }

  /** Files do not change. One that cannot be loaded is left out: the recording plays without it. */
  async #loadLesson({ files }: OwnRecordingResponse): Promise<void> {
    if (this.#hasLesson) return
    this.#hasLesson = true
    const blobOf = (path: string) => files?.find(file => file.path === path)?.blob_id
    const contentOf = async (path: string): Promise<unknown> => {
      const blobId = blobOf(path)
      const answer = blobId && (await this.#request({ method: 'GET', path: this.#pathTo(blobId) }))
      return answer && answer.is === 'ok' ? answer.body : null
    }
    const posterId = blobOf(LESSON_FILES.poster)
    const [poster, chapters, attendance] = await Promise.all([
      posterId ? this.linkTo(posterId) : null,
      contentOf(LESSON_FILES.chapters),
      contentOf(LESSON_FILES.attendance),
    ])
    const state = this.get()
    if (state.is !== 'known') return
    const lesson = { poster, chapters: readChapters(chapters), attendance: readAttendance(attendance) }
    this.set({ ...state, lesson })
  }

  async #loadTranscript(): Promise<void> {
    const loaded = await this.#loadPhrases()
    const state = this.get()
    if (state.is !== 'known') return
    if (!loaded) return this.set({ ...state, transcript: { is: 'unknown' } })
    const transcript: TranscriptView =
      loaded.phrases.length === 0 ? { is: 'none' } : { is: 'known', ...loaded }
    this.set({ ...state, transcript })
  }

  /** All pages. Null: the first one failed; of later ones, what was loaded counts. */
  async #loadPhrases(): Promise<Omit<Extract<TranscriptView, { is: 'known' }>, 'is'> | null> {
    const phrases: TranscriptPhrase[] = []
    let language = 'und'
    for (let from = 0; phrases.length < PHRASES_MAX; ) {
      const path = `${this.#path}/transcript${from > 0 ? `?from=${from}` : ''}`
      const answer = await this.#request({ method: 'GET', path })
      if (answer.is !== 'ok') return from > 0 ? { language, phrases, isTruncated: true } : null
      const page = answer.body as OwnTranscriptResponse
      phrases.push(...page.phrases)
      language = page.language
      // A server of an earlier version has one page only.
      const next = page.next ?? null
      if (next === null || next <= from) return { language, phrases, isTruncated: page.is_truncated }
      from = next
    }
    return { language, phrases, isTruncated: true }
  }

  readonly #pathTo = (blobId: string) => `${this.#path}/files/${encodeURIComponent(blobId)}`
}
