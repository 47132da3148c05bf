import { ControlClient, platformEnvironment } from '@lectern/control-client'
import type { JobKind, JobView, JsonObject, ParticipantView } from '@lectern/protocol/control/client'
import { WebSocket } from 'ws'
import { addUser, signInAs } from './accounts.ts'
import type { Lectern } from './lectern.ts'
import { Uploads } from './uploads.ts'
import { waitFor } from './wait.ts'

const CAPABILITIES = {
  recording: 'jobs.recorder',
  transcription: 'jobs.transcriber',
  conversion: 'jobs.converter',
} as const

/** A worker whose control commands are issued by a test, in place of a recorder or transcriber. */
export class JobWorker {
  readonly client: ControlClient
  readonly #uploads: Uploads
  readonly #kind: JobKind
  readonly #workerId: string
  #seq = 0
  #renewTimer: ReturnType<typeof setInterval> | undefined
  job: JobView | null = null

  private constructor(url: string, token: string, kind: JobKind) {
    this.#kind = kind
    this.#workerId = `e2e-${kind}`
    this.#uploads = new Uploads(url, token)
    this.client = new ControlClient(platformEnvironment(WebSocket), {
      url: `${url.replace('http', 'ws')}/api/v1.0/control`,
      accessToken: async refused => (refused ? null : token),
      client: { name: 'e2e-worker', version: '1', platform: 'node' },
    })
    this.client.open()
  }

  static async start(lectern: Lectern, kind: JobKind): Promise<JobWorker> {
    const person = await addUser(lectern, `${kind}-worker`, {
      kind: 'worker',
      capabilities: [CAPABILITIES[kind]],
    })
    const { access_token } = await signInAs(lectern, person)
    const worker = new JobWorker(lectern.url, access_token, kind)
    await waitFor(() => worker.client.state.get().is === 'ready', 'the worker is connected')
    return worker
  }

  /** Requests a job once. `languages`: what a transcriber recognises. */
  async leaseJob(languages?: string[]): Promise<JobView | null> {
    const target = { kind: 'operation', id: this.#kind } as const
    const { job } = await this.client.command('job.lease', target, {
      worker_id: this.#workerId,
      holding: this.job ? [this.job.job_id] : [],
      ...(languages && { languages }),
    })
    if (job) this.#startRenewing(job)
    return job
  }

  /** Waits for a job of the conference. */
  waitForJob = (tag: string): Promise<JobView> =>
    waitFor(async () => {
      const job = await this.leaseJob()
      return job?.conference_tag === tag ? job : null
    }, `a job for ${tag}`)

  reportProgress = (active: boolean) =>
    this.client.command('job.progress', this.#operation, { worker_id: this.#workerId, active })

  /** Stores a file of the job, and returns its id; with less `sent` than that the upload remains unfinished. */
  async upload(path: string, bytes: Buffer, { sent = bytes.length } = {}): Promise<string> {
    const about = { job_id: this.#operation.id, path, content_type: 'application/octet-stream' }
    if (sent === bytes.length) return this.#uploads.upload(about, bytes)
    const location = await this.#uploads.begin(about, bytes)
    await this.#uploads.append(location, 0, bytes.subarray(0, sent))
    return location
  }

  /** Without a result the job has failed. */
  finish = async (result?: JsonObject) => {
    const end = result
      ? ({ outcome: 'done', result } as const)
      : ({ outcome: 'failed', result: { reason: 'worker_lost' } } as const)
    await this.client.command('job.finish', this.#operation, { worker_id: this.#workerId, ...end })
    this.job = null
    clearInterval(this.#renewTimer)
  }

  /** Sends a phrase of a participant, final or partial. */
  sendPhrase = ({ participant_id, user_id, display_name }: ParticipantView, text: string, isFinal: boolean) =>
    this.client.command('job.phrases', this.#operation, {
      worker_id: this.#workerId,
      phrases: isFinal
        ? [{ participant_id, user_id, display_name, seq: ++this.#seq, text, at_ms: Date.now() }]
        : [],
      partials: isFinal ? [] : [{ participant_id, text }],
    })

  /** Whether the server requested the end of the job. */
  isStopping = async (): Promise<boolean> =>
    (await this.client.command('job.renew', this.#operation, { worker_id: this.#workerId })).stop

  close = () => {
    clearInterval(this.#renewTimer)
    this.client.close()
  }

  #startRenewing(job: JobView): void {
    this.job = job
    clearInterval(this.#renewTimer)
    this.#renewTimer = setInterval(() => void this.isStopping().catch(() => {}), job.lease_ms / 3)
  }

  get #operation() {
    if (!this.job) throw new Error('The worker has no job.')
    return { kind: 'operation', id: this.job.job_id } as const
  }
}
