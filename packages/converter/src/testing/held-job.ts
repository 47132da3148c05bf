import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { ConvertedPage } from '@lectern/protocol'
import type { JobView } from '@lectern/protocol/control'
import type { HeldJob, UploadFile } from '@lectern/worker-kit'

type Progress = Parameters<HeldJob['progress']>[0]

/** A job whose document a test supplies, and whose uploads it reads. */
export class FakeHeldJob {
  readonly job: JobView
  readonly folder: string
  readonly reports: Progress[] = []
  readonly files = new Map<string, Buffer>()
  readonly #document: Buffer
  readonly #stop = new AbortController()
  readonly #drain = new AbortController()
  readonly stop: HeldJob['stop'] = this.#stop.signal
  readonly drain: HeldJob['drain'] = this.#drain.signal
  /** Called with the path of each file before it is uploaded. */
  onUpload: (path: string) => void = () => {}

  constructor(folder: string, document: Buffer, contentType: string, details: JobView['details'] = {}) {
    this.folder = folder
    mkdirSync(folder, { recursive: true })
    this.#document = document
    this.job = {
      job_id: 'job_1',
      kind: 'conversion',
      scope: 'manual',
      conference_session_id: '42',
      conference_tag: 'k7mq',
      params: { file_id: 'b_1', content_type: contentType },
      attempt: 1,
      details,
      lease_ms: 30_000,
      stop: false,
    }
  }

  requestStop = () => this.#stop.abort('requested')
  requestDrain = () => this.#drain.abort(new Error('drain'))

  get pages(): ConvertedPage[] {
    return [...this.files]
      .filter(([path]) => path.endsWith('page.json'))
      .map(([, bytes]) => JSON.parse(bytes.toString()) as ConvertedPage)
  }

  progress = (progress: Progress) => void this.reports.push(progress)

  async download(_path: string, file: string) {
    writeFileSync(file, this.#document)
  }

  async upload(files: UploadFile[]) {
    return files.map(({ file, path }) => {
      this.onUpload(path)
      this.drain.throwIfAborted()
      this.files.set(path, readFileSync(file))
      return { path, blobId: `b_${Buffer.from(path).toString('hex').padEnd(32, '0').slice(0, 32)}` }
    })
  }
}
