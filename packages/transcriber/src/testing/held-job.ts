import { emptySession } from '@lectern/control-client/testing/session'
import type { JobView, MediaSource, RecognizedPhrase } from '@lectern/protocol/control'
import type {
  HeldJob,
  IncomingTrack,
  ObservedEvent,
  StoredFile,
  TrackListener,
  UploadFile,
} from '@lectern/worker-kit'
import { rtpBytes } from './speech.ts'

type Progress = Parameters<HeldJob['progress']>[0]

const job: JobView = {
  job_id: 'job_1',
  kind: 'transcription',
  scope: 'manual',
  conference_session_id: '42',
  conference_tag: 'k7mq',
  params: {},
  attempt: 1,
  details: {},
  lease_ms: 30_000,
  stop: false,
}

/** A track whose packets the test sends. */
export class FakeTrack implements IncomingTrack {
  readonly publicationId: string
  readonly kind = 'audio'
  readonly codec = {
    mimeType: 'audio/opus',
    payloadType: 111,
    clockRate: 48_000,
    channels: 2,
    parameters: {},
  }
  readonly ssrc = 7
  readonly isPaused = false
  readonly participantId: string
  readonly source: MediaSource
  #listener: TrackListener | null = null
  #hasListener = () => {}
  /** Resolves when the job listens to the track: it has then received all packets sent so far. */
  readonly received = new Promise<void>(resolve => {
    this.#hasListener = resolve
  })
  #undelivered: (() => void)[] = []
  #sent = 0

  constructor(participantId: string, source: MediaSource = 'microphone') {
    this.participantId = participantId
    this.source = source
    this.publicationId = `${participantId}.${source}`
  }

  requestKeyFrame() {}
  setDisplaySize() {}

  setListener(listener: TrackListener) {
    this.#listener = listener
    for (const deliver of this.#undelivered.splice(0)) deliver()
    this.#hasListener()
  }

  /** Sends all packets at once. */
  send(packets: Buffer[]) {
    for (const packet of packets) {
      const bytes = rtpBytes(packet, this.#sent++)
      this.#deliver(() => this.#listener?.packet(bytes, 0))
    }
  }

  end = () => this.#deliver(() => this.#listener?.ended(0))

  #deliver(deliver: () => void) {
    if (this.#listener) deliver()
    else this.#undelivered.push(deliver)
  }
}

/** Records progress reports, published phrases and uploads. */
export class FakeHeldJob implements HeldJob {
  readonly job: JobView
  readonly folder: string
  readonly reports: Progress[] = []
  readonly phrases: RecognizedPhrase[] = []
  readonly uploaded: UploadFile[] = []
  readonly logged: string[] = []
  readonly log: HeldJob['log'] = {
    warn: (_about, message) => this.logged.push(message),
    error: (_about, message) => this.logged.push(message),
  }
  readonly #stop = new AbortController()
  readonly #drain = new AbortController()
  readonly #trackListeners = new Set<(track: IncomingTrack) => void>()
  #session: ReturnType<HeldJob['session']> = {
    ...emptySession({ conference_session_id: '42', transcription: true }),
    ended: null,
  }

  externalIds = async () => new Map<string, string>()

  constructor(folder: string, changes: Partial<JobView>) {
    this.folder = folder
    this.job = { ...job, ...changes }
  }

  get stop(): HeldJob['stop'] {
    return this.#stop.signal
  }
  get drain(): HeldJob['drain'] {
    return this.#drain.signal
  }
  requestStop = () => this.#stop.abort('requested')
  lose = () => this.#stop.abort('lost')
  requestDrain = () => this.#drain.abort()

  session = () => this.#session
  followBoard = () => () => {}
  onSession = (_listener: (happening: ObservedEvent) => void) => () => {}

  onTrack(listener: (track: IncomingTrack) => void) {
    this.#trackListeners.add(listener)
    return () => this.#trackListeners.delete(listener)
  }

  offer(track: FakeTrack): FakeTrack {
    for (const listener of this.#trackListeners) listener(track)
    return track
  }

  enter(participant_id: string, user_id: string, display_name: string) {
    const rest = { role: 'participant', presence: 'here', hand_raised_at_ms: null, joined_at_ms: 1 } as const
    this.#session?.participants.push({ participant_id, user_id, display_name, ...rest })
  }

  leave(participantId: string) {
    if (!this.#session) return
    const participants = this.#session.participants.filter(each => each.participant_id !== participantId)
    this.#session = { ...this.#session, participants }
  }

  endSession() {
    if (this.#session) this.#session = { ...this.#session, participants: [], ended: 'closed' }
  }

  progress = (progress: Progress) => void this.reports.push(progress)

  async publishPhrases({ phrases }: Parameters<HeldJob['publishPhrases']>[0]) {
    this.phrases.push(...phrases)
  }

  async download() {}

  async upload(files: UploadFile[], options: { alsoWhenDraining?: boolean } = {}): Promise<StoredFile[]> {
    if (!options.alsoWhenDraining) this.#drain.signal.throwIfAborted()
    this.uploaded.push(...files)
    return files.map(({ path }) => ({ path, blobId: 'blob_1' }))
  }
}
