import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom, testSeed } from '@lectern/common/testing'
import type { HostedEvent, PartnerClient } from '@lectern/partner'
import { beforeAll, describe, expect, it } from 'vitest'
import { useBucket } from '../../support/bucket.ts'
import { useFolders } from '../../support/folders.ts'
import { JobWorker } from '../../support/job-worker.ts'
import { useLectern } from '../../support/lectern.ts'
import { becomeGuest, signInByLink, useMembers } from '../../support/members.ts'
import { Uploads } from '../../support/uploads.ts'
import { waitFor } from '../../support/wait.ts'

const NAME = 'Zoraida Quux'
const FILES = 8
/** A bucket keeps whole pieces only (rule U8). */
const PIECE_BYTES = 8 * 1024 * 1024
const KILLS_LATER = 3
const LATEST_KILL_MS = 1_500

const random = seededRandom(testSeed())
const makeFolder = useFolders()
const dataFolder = makeFolder()
const bucket = useBucket()
const lectern = useLectern(() => ({ SVC_SERVER_DATA_DIR: dataFolder, ...bucket.settings }))
const enter = useMembers({ keepsMembers: true })
let partner: PartnerClient
beforeAll(async () => {
  partner = lectern.client(await lectern.addAccount('school', ['integration:rooms', 'blob']))
})

describe('kill -9 of the server while it deletes a room with files in a bucket', () => {
  it('leaves nothing of its people in bucket, tables, disk and a backup made afterwards (rule DELETE-1)', async () => {
    await haveRecordedLesson()
    for (const folder of [dataFolder, bucket.folder]) expect(filesWith(NAME, folder)).not.toEqual([])

    const deletions = { text: 'DELETE /' }
    let isHeld = bucket.hold(deletions)
    await partner.v2.deleteRoom('lesson')
    for (const next of [
      { what: 'answer' },
      { what: 'request', after: 1 },
      { what: 'answer', after: 2 },
      null,
    ] as const) {
      await isHeld
      await lectern.stop('SIGKILL')
      expect(filesWith(NAME, bucket.folder)).not.toEqual([])
      if (next) isHeld = bucket.hold({ ...deletions, ...next })
      else bucket.release()
      await lectern.start()
    }
    for (let i = 0; i < KILLS_LATER; i++) {
      await sleep(random() * LATEST_KILL_MS)
      await lectern.stop('SIGKILL')
      await lectern.start()
    }

    const left = await waitFor(async () => {
      const events = await listEvents()
      return events.some(({ type }) => type === 'room.deleted') && events
    }, 'the room is deleted')
    expect(left).toMatchObject([{ type: 'room.deleted', room: { external_id: 'lesson' } }])
    const backup = join(makeFolder(), 'backup')
    await lectern.command('backup', backup)
    await lectern.stop() // nothing remains in a log of a database either
    for (const folder of [bucket.folder, backup, dataFolder]) expect(filesWith(NAME, folder)).toEqual([])
    await lectern.start()
    expect(await listEvents()).toEqual(left)
  })
})

/** A call of a teacher and a guest, with a recording, a transcript, a chat, and uploads that belong to no record. */
async function haveRecordedLesson(): Promise<void> {
  const transcription = { mode: 'automatic' } as const
  const { tag } = await partner.v2.putRoom('lesson', { title: NAME, plain_link: 'open', transcription })
  const person = { display_name: NAME, role: 'teacher', metadata: { name: NAME } } as const
  const { join_url: link } = await partner.v2.putPerson('lesson', 'teacher-1', person)
  const transcriber = await JobWorker.start(lectern, 'transcription')
  await transcriber.leaseJob() // it is known from then on
  const recorder = await JobWorker.start(lectern, 'recording')
  const account = await signInByLink(link)
  const teacher = await enter({ url: lectern.url, tag, account, link }).waitForJoin()
  await enter({ url: lectern.url, tag, account: await becomeGuest(lectern.url, NAME) }).waitForJoin()
  await teacher.sendChat(`${NAME} was here.`)
  const about = { conference: tag, purpose: 'chat_file', name: `${NAME}.txt` }
  await new Uploads(lectern.url, account.access_token).upload(about, Buffer.from(`${NAME} wrote it.`))

  await recorder.waitForJob(tag)
  await transcriber.waitForJob(tag)
  const content = Buffer.from(`This is ${NAME}. `.repeat(1_000))
  const blob_ids: string[] = []
  for (let i = 1; i <= FILES; i++) blob_ids.push(await recorder.upload(`part-${i}.mkv`, content))
  await recorder.upload('left.mkv', content)
  const unfinished = Buffer.concat([Buffer.alloc(PIECE_BYTES, content), content])
  await recorder.upload('unfinished.mkv', unfinished, { sent: PIECE_BYTES })
  const times = { started_at_ms: 1_000, ended_at_ms: 3_000 }
  await teacher.end()
  await recorder.finish({
    ...{ status: 'completed', profile: 'consolidated_native', ...times, duration_ms: 2_000 },
    ...{ output_dir: '/x', artifact: { name: NAME }, blob_ids },
  })
  const spoken = { status: 'completed', language: 'en', engine: 'e2e', reason: 'stopped', ...times }
  const transcript = { ...spoken, text: `I am ${NAME}.`, segments: [] }
  const blob_id = await transcriber.upload('transcript.json', Buffer.from(JSON.stringify(transcript)))
  await transcriber.finish({ blob_id })
  for (const worker of [recorder, transcriber]) worker.close()
  await waitFor(async () => {
    const types = (await listEvents()).map(({ type }) => type)
    return ['room.ended', 'recording.ready', 'transcription.ready'].every(each =>
      types.includes(each as never),
    )
  }, 'everything is stored')
}

async function listEvents(): Promise<HostedEvent[]> {
  const events: HostedEvent[] = []
  for await (const event of partner.v2.events()) events.push(event)
  return events
}

const filesWith = (text: string, folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(each => each.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter(path => readFileSync(path).includes(text))
