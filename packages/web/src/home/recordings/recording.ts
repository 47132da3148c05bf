import { Observable } from '@lectern/common'
import type {
  FileLinkResponse,
  OwnRecordingResponse,
  OwnTranscriptResponse,
  TranscriptPhrase,
} from '@lectern/protocol'
import type { Account } from '../../identity/account.ts'
import { RECORDINGS_PATH } from './recordings.ts'

export type RecordingState =
  | { is: 'loading' }
  | { is: 'missing' }
  | { is: 'unknown' } // the request failed
  | { is: 'known'; recording: OwnRecordingResponse; transcript: TranscriptView }

export type TranscriptView =
  | { is: 'none' | 'loading' | 'processing' | 'unknown' }
  | { is: 'known'; language: string; phrases: readonly TranscriptPhrase[]; isTruncated: boolean }

/** One recording of the signed-in user, with its transcript. */
export class RecordingDetails extends Observable<RecordingState> {
  readonly #request: Account['request']
  readonly #path: string

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
    this.set({ is: 'known', recording, transcript })
    if (progress === 'ready' && !isShown) await this.#loadTranscript()
  }

  /** A link to a file, valid for a few minutes; null: it was not given. */
  readonly linkTo = async (blobId: string): Promise<string | null> => {
    const path = `${this.#path}/files/${encodeURIComponent(blobId)}/link`
    const answer = await this.#request({ method: 'POST', path, body: {} })
    return answer.is === 'ok' ? (answer.body as FileLinkResponse).url : null
  }

  /** Permanent. Resolves with its success; another tab may have been faster. */
  readonly remove = async (): Promise<boolean> => {
    const answer = await this.#request({ method: 'DELETE', path: this.#path })
    return answer.is === 'ok' || (answer.is === 'refused' && answer.code === 'recording_not_found')
  }

  async #loadTranscript(): Promise<void> {
    const answer = await this.#request({ method: 'GET', path: `${this.#path}/transcript` })
    const state = this.get()
    if (state.is !== 'known') return
    if (answer.is !== 'ok') return this.set({ ...state, transcript: { is: 'unknown' } })
    const { language, phrases, is_truncated: isTruncated } = answer.body as OwnTranscriptResponse
    const transcript: TranscriptView =
      phrases.length === 0 ? { is: 'none' } : { is: 'known', language, phrases, isTruncated }
    this.set({ ...state, transcript })
  }
}
