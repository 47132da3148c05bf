import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { seededRandom, testSeed } from '@lectern/common/testing'
import { ControlClient, ControlFailure, platformEnvironment } from '@lectern/control-client'
import type { PartnerClient } from '@lectern/partner'
import type { LoginResponse } from '@lectern/protocol'
import type { CommandData, JobKind, JobView, JsonObject } from '@lectern/protocol/control'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { repositoryPath, useFolders } from '../../support/folders.ts'
import { PLAIN_LINK_OPEN, useLectern } from '../../support/lectern.ts'
import { becomeGuest, useMembers } from '../../support/members.ts'
import { waitFor } from '../../support/wait.ts'
import { useWebhookReceiver } from '../../support/webhook-receiver.ts'

const ROOMS = 4
const KILLS = 5
const LATEST_KILL_MS = 4_000

const seed = testSeed()
const random = seededRandom(seed)
const lectern = useLectern(() => ({
  ...PLAIN_LINK_OPEN,
  SVC_LIMITS_ENABLED: '0',
  SVC_INTEGRATION_ALLOW_INSECURE_WEBHOOKS: '1',
  SVC_CONFERENCES_EMPTY_GRACE_SECONDS: '120',
}))
const receiver = useWebhookReceiver()
const enter = useMembers()
const makeFolder = useFolders()

/** The worker kit, which the e2e package does not depend on. */
interface WorkerKit {
  uploadFiles(options: object, files: object[]): Promise<{ path: string; blobId: string }[]>
}
let kit: WorkerKit
let worker: ControlClient
let partner: PartnerClient
let tokens: Record<string, string>

beforeAll(async () => {
  kit = await import(pathToFileURL(repositoryPath('packages/worker-kit/src/upload.ts')).href)
  partner = lectern.client(await lectern.addAccount('school', ['integration:rooms', 'blob']))
  await lectern.command('user', 'set', 'school-backend', '--capability', 'recordings.access')
  await partner.setWebhook(receiver.webhook())
  tokens = {
    worker: await signIn('worker', 'jobs.recorder', 'jobs.transcriber'),
    boss: await signIn('boss', 'admin'),
  }
  worker = new ControlClient(platformEnvironment(WebSocket), {
    url: `${lectern.url.replace('http', 'ws')}/api/v1.0/control`,
    accessToken: async () => tokens.worker as string,
    client: { name: 'e2e', version: '1', platform: 'node' },
  })
  worker.open()
})
afterAll(() => worker?.close())

async function signIn(login: string, ...capabilities: string[]): Promise<string> {
  const password = randomBytes(12).toString('hex')
  const granted = capabilities.flatMap(each => ['--capability', each])
  await lectern.command('user', 'add', login, '--password', password, ...granted)
  const response = await fetch(`${lectern.url}/api/v1.0/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ login, password }),
  })
  return ((await response.json()) as LoginResponse).access_token
}

/** Repeats a command until it succeeds; each repetition has a new command id, as after a restart. */
async function commandUntilSuccess<N extends 'job.lease' | 'job.finish'>(
  name: N,
  id: string,
  body: object,
): Promise<CommandData<N>> {
  for (;;) {
    try {
      const target = { kind: 'operation', id } as const
      const sent = worker.command(name, target, { worker_id: 'w', ...body } as never, { ttlMs: 5_000 })
      return (await sent) as CommandData<N>
    } catch (error) {
      const isFinal = error instanceof ControlFailure && error.code === 'invalid_argument'
      if (isFinal) throw error
      await sleep(100)
    }
  }
}

/** Runs a job like a worker: uploads the files and finishes the job. */
async function work(job: JobView, files: Record<string, Buffer>, result: (ids: string[]) => JsonObject) {
  const folder = join(makeFolder(), job.job_id)
  mkdirSync(folder)
  const uploads = Object.entries(files).map(([path, bytes]) => {
    writeFileSync(join(folder, path), bytes)
    return { file: join(folder, path), path, contentType: 'application/octet-stream' }
  })
  const options = {
    serverUrl: lectern.url,
    accessToken: async () => tokens.worker,
    jobId: job.job_id,
    folder,
    signal: new AbortController().signal,
    log: { warn: () => {} },
  }
  const stored = await kit.uploadFiles(options, uploads)
  const end = { outcome: 'done', result: result(stored.map(({ blobId }) => blobId)) }
  await commandUntilSuccess('job.finish', job.job_id, end)
  await commandUntilSuccess('job.finish', job.job_id, end) // the first answer might have been lost
  return stored
}

/** Waits for the next job. */
async function lease(kind: JobKind, meanwhile: () => unknown = () => {}): Promise<JobView> {
  for (;;) {
    const { job } = await commandUntilSuccess('job.lease', kind, { holding: [] })
    if (job) return job
    await meanwhile()
    await sleep(100)
  }
}

const transcribe = (tag: string, action: 'start' | 'stop') =>
  fetch(`${lectern.url}/api/v1.0/admin/conferences/${tag}/transcription`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${tokens.boss}` },
    body: JSON.stringify({ action }),
  }).catch(() => null)

/** A run that ends although nobody has stopped it is followed by another one (rule X9). */
async function stopTranscription(tag: string): Promise<void> {
  while (!(await transcribe(tag, 'stop'))?.ok) await sleep(100)
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const times = { started_at_ms: 1_000, ended_at_ms: 3_000 }

async function recordAndTranscribe() {
  const video = randomBytes(6 * 1024 * 1024)
  const recording = await lease('recording')
  const tag = recording.conference_tag
  await work(recording, { 'recording.mkv': video, 'report.json': Buffer.from('{}') }, blob_ids => ({
    ...{ status: 'completed', profile: 'consolidated_native', ...times, duration_ms: 2_000 },
    ...{ output_dir: '/x', artifact: {}, blob_ids },
  }))
  const transcription = await lease('transcription', () => transcribe(tag, 'start'))
  await stopTranscription(tag)
  const text = `Урок ${tag} 😀 `.repeat(1_000)
  const document = { status: 'completed', language: 'ru', engine: 'e2e', reason: 'stopped', ...times, text }
  const bytes = Buffer.from(JSON.stringify({ ...document, segments: [] }))
  await work(transcription, { 'transcript.json': bytes }, ([blob_id = '']) => ({ blob_id }))
  return { tag, recording: recording.job_id, transcription: transcription.job_id, video, text }
}

describe('kill -9 of the server between a worker’s files and the partner’s webhook', () => {
  it('creates one record and one delivery per job, and loses no byte (rules ARCHIVE-4, RETRY-2)', async () => {
    const tags: string[] = []
    for (let i = 0; i < ROOMS; i++) {
      const { tag } = await partner.createRoom(`lesson-${i}`)
      enter({ url: lectern.url, tag, account: await becomeGuest(lectern.url) })
      tags.push(tag)
    }
    let isDone = false
    const working = (async () => {
      const finished = []
      for (const _ of tags) finished.push(await recordAndTranscribe())
      isDone = true
      return finished
    })()
    let kills = 0
    while (!isDone && kills < KILLS) {
      await Promise.race([working, sleep(random() * LATEST_KILL_MS)])
      await lectern.stop('SIGKILL')
      await lectern.start()
      kills++
    }
    const finished = await working
    await lectern.stop('SIGKILL') // the last commits may not have been delivered yet
    await lectern.start()

    console.log(`${kills} kills for ${finished.length} recordings and transcripts`)
    const deliveredEvents = () =>
      new Map(
        receiver.received.map(({ event }) => [
          'recording' in event.data
            ? event.data.recording.job_id
            : 'transcription' in event.data
              ? event.data.transcription.job_id
              : event.id,
          event,
        ]),
      )
    await waitFor(() => deliveredEvents().size >= finished.length * 2, 'everything is delivered')
    expect(new Set(finished.map(({ tag }) => tag))).toEqual(new Set(tags))
    const records = await partner.listRecordings()
    expect(records.map(({ job_id }) => job_id).sort()).toEqual(
      finished.map(({ recording }) => recording).sort(),
    )
    expect([...deliveredEvents().keys()].sort()).toEqual(
      finished.flatMap(({ recording, transcription }) => [recording, transcription]).sort(),
    )
    const ids = new Set(receiver.received.map(({ event }) => event.id))
    expect(ids.size).toBe(finished.length * 2)
    expect(receiver.refused).toEqual([])
    for (const { recording, transcription, video, text, tag } of finished) {
      const event = deliveredEvents().get(recording)
      if (event?.type !== 'recording.ready') throw new Error('not delivered as a recording')
      const { files } = event.data.recording
      expect(files.map(({ path }) => path).sort()).toEqual(['recording.mkv', 'report.json'])
      const blob = await partner.downloadBlob(files.find(({ path }) => path === 'recording.mkv')?.url ?? '')
      expect(sha256(Buffer.from(await blob.arrayBuffer()))).toBe(sha256(video))
      expect(deliveredEvents().get(transcription)).toMatchObject({
        type: 'transcription.ready',
        data: { room: { tag }, transcription: { text, conference_tag: tag } },
      })
    }
  })
})
