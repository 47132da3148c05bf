import { afterAll, describe, expect, it } from 'vitest'
import type { User } from '../../accounts/ports.ts'
import { ordinaryConferenceStore } from '../../sessions/stores/conferences.ts'
import { Folders } from '../storage/testing/folder.ts'
import { fileStore } from '../stores/files.ts'
import { sha256, streamOf, upload } from '../testing/uploads.ts'
import { ConferenceFiles } from './conference-files.ts'
import { conversionOf, Documents } from './documents.ts'
import { Quotas } from './quotas.ts'
import { noScanner } from './scanner.ts'

const TAG = 'aaaa-bbbbb-cccc'
const CHAT = `conference:${TAG}`
const PDF = Buffer.from('%PDF-1.7 and more')
const anna = { id: 7, capabilities: [] as string[] } as User

const folders = new Folders()
afterAll(folders.close)

/** The files of a conference, and what a killed server has left. */
async function open({ inChat = CHAT, sessionId = 4, hasFreshBoard = false } = {}) {
  const { db, blobs, jobs: jobStore, passHours, seconds } = await folders.open()
  const clock = () => seconds() * 1000
  const store = fileStore(db)
  const jobs = {
    convert: (id: string, { sessionId, tag, params }: { sessionId: number; tag: string; params: object }) =>
      jobStore.addWithId(
        id,
        {
          kind: 'conversion',
          scope: 'manual',
          conferenceSessionId: sessionId,
          conferenceTag: tag,
          params: params as never,
        },
        clock(),
      ),
    cancel: (id: string) => jobStore.stop(id, clock()),
  }
  const documents = new Documents({ store, blobs, jobs: () => jobs, onChanged: () => {} })
  const files = new ConferenceFiles({
    store,
    blobs,
    documents,
    members: {
      findInside: async () => ({
        ...{ sessionId, displayName: 'Anna', chatId: inChat, hasFreshBoard },
        ...{ isModerator: true, mayWrite: true, maySendFiles: true },
      }),
      assertMaySendTo: async () => {},
      mayReadChat: async () => false,
      wasInside: async () => false,
      ownerOf: async () => null,
    },
    quotas: new Quotas({ store, clock, isLimited: true }),
    hasConverter: () => true,
    convertsOffice: () => false,
    scanner: noScanner,
    listLeasedJobs: async () => [],
    clock,
  })
  const begin = async (bytes = PDF) => {
    const metadata = { conference: TAG, purpose: 'slides', name: 'a.pdf', sha256: sha256(bytes) }
    return files.begin(await files.plan(anna, '127.0.0.1', bytes.length, metadata))
  }
  /** All bytes are there, and the server was killed before it noticed. */
  const receive = async (bytes = PDF) => {
    const id = await begin(bytes)
    await blobs.append(id, 0, streamOf(bytes))
    return blobs.finish(id)
  }
  const convert = async () => {
    const blob = await receive()
    await files.complete(blob)
    return blob.id
  }
  return {
    db,
    blobs,
    jobStore,
    store,
    files,
    passHours,
    begin,
    receive,
    convert,
    conferences: ordinaryConferenceStore(db),
  }
}

describe('files of a conference', () => {
  const ben = { id: 8, capabilities: [] as string[] } as User
  const withFiles = async (chat: string, hasFreshBoard = false) => {
    const { store, files } = await open({ inChat: 'session:5', sessionId: 5, hasFreshBoard })
    const place = { conferenceTag: TAG, userId: 7, displayName: 'Anna', size: 1, createdAtMs: 1 }
    for (const [id, purpose, sessionId, chatId] of [
      ['b_slides', 'slides', 4, null],
      ['b_note', 'chat_file', 4, chat],
      ['b_put', 'slides', 0, null],
    ] as const) {
      await store.add(id, { ...place, name: id, purpose, sessionId, chatId })
      await store.complete(id, 'application/pdf', 'stored')
    }
    const listed = (await files.list(ben, TAG)).map(({ id }) => id)
    const ids = ['b_note', 'b_put', 'b_slides']
    const found = await Promise.all(ids.map(id => files.find(ben, id).catch(() => null)))
    expect(found.flatMap(file => file?.id ?? [])).toEqual(listed)
    return listed
  }

  it('are listed and read by who is inside, except those of the chat of an earlier session', async () => {
    expect(await withFiles('session:5')).toEqual(['b_note', 'b_put', 'b_slides'])
    expect(await withFiles('session:4')).toEqual(['b_put', 'b_slides'])
  })

  it('are not listed and read where the board of an earlier session was not kept', async () => {
    expect(await withFiles('session:4', true)).toEqual(['b_put'])
  })
})

describe('an upload', () => {
  it('that is removed while its last bytes are scanned begins no conversion', async () => {
    const { files, store, jobStore, receive } = await open()
    const blob = await receive()
    const complete = store.complete
    store.complete = async (...file) => {
      await store.beginRemoval(blob.id)
      return complete(...file)
    }
    await expect(files.complete(blob)).rejects.toMatchObject({ code: 'blob_not_found' })
    expect(await jobStore.find(conversionOf(blob.id))).toBeNull()
  })

  it('is refused at its end when others have used the space meanwhile (rule U12)', async () => {
    const { files, store, receive } = await open()
    const blob = await receive()
    const place = {
      conferenceTag: TAG,
      sessionId: 4,
      userId: 8,
      displayName: 'Ben',
      name: 'b',
      createdAtMs: 1,
    }
    await store.add('b_large', { ...place, size: 500_000_000, purpose: 'slides', chatId: null })
    await store.complete('b_large', 'application/pdf', 'converting')
    await expect(files.complete(blob)).rejects.toMatchObject({ code: 'file_quota_exceeded' })
    expect(await store.find(blob.id)).toBeNull()
  })
})

describe('the sweep of files', () => {
  it('completes an upload whose last answer was lost with the server', async () => {
    const { files, store, receive, passHours, jobStore } = await open()
    const { id } = await receive()
    await files.sweep()
    expect(await store.find(id)).toMatchObject({ state: 'uploading' })
    passHours(2)
    await files.sweep()
    expect(await store.find(id)).toMatchObject({ state: 'converting', contentType: 'application/pdf' })
    expect(await jobStore.find(conversionOf(id))).toMatchObject({ params: { file_id: id } })
  })

  it('removes what nobody finished, and what is of no accepted kind (rule U13)', async () => {
    const { files, store, blobs, begin, receive, passHours } = await open()
    const [unfinished, program] = [await begin(), (await receive(Buffer.from('MZ program'))).id]
    passHours(2)
    await files.sweep()
    for (const id of [unfinished, program])
      expect([await store.find(id), await blobs.progress(id)]).toEqual([null, null])
  })

  it('begins a conversion that a crash has prevented, once', async () => {
    const { files, store, receive, jobStore } = await open()
    const { id } = await receive()
    await store.complete(id, 'application/pdf', 'converting')
    await files.sweep()
    await files.sweep()
    expect(await jobStore.countUnfinished()).toEqual([{ kind: 'conversion', state: 'queued', count: 1 }])
  })

  it('ends a conversion that an operator has cancelled', async () => {
    const { files, store, convert, jobStore } = await open()
    const id = await convert()
    await jobStore.stop(conversionOf(id), 1)
    await files.sweep()
    expect(await store.find(id)).toMatchObject({ state: 'failed', failure: 'converter_failed' })
  })

  it('completes a removal, with the blobs of pages, and cancels the conversion', async () => {
    const { files, store, blobs, convert, jobStore } = await open()
    const id = await convert()
    const page = await upload(blobs, Buffer.from('a page'), { jobId: conversionOf(id) })
    const about = { pageNumber: 1, width: 9, height: 9, failure: null, blobIds: { '320': page.id } }
    await store.addPage(id, about, 1)
    await store.beginRemoval(id)
    await files.sweep()
    expect([await store.find(id), await blobs.find(id), await blobs.find(page.id)]).toEqual([
      null,
      null,
      null,
    ])
    expect(await jobStore.find(conversionOf(id))).toMatchObject({ state: { is: 'cancelled' } })
  })

  it('removes the files of removed conferences', async () => {
    const { files, store, convert, conferences } = await open()
    const id = await convert()
    await conferences.add({
      tag: TAG,
      title: 'a',
      ownerId: 7,
      createdAtMs: 1,
      entry: 'open',
      purpose: 'meeting',
    })
    await files.sweep()
    expect(await store.find(id)).not.toBeNull()
    await conferences.remove(TAG, 1)
    await files.sweep()
    expect(await store.find(id)).toBeNull()
  })

  it('leaves the blobs of pages, which the sweep of blobs leaves as well', async () => {
    const { store, blobs, convert, jobStore, passHours } = await open()
    const id = await convert()
    const jobId = conversionOf(id)
    const [page, orphan] = [
      await upload(blobs, Buffer.from('a page'), { jobId }),
      await upload(blobs, Buffer.from('an orphan'), { jobId }),
    ]
    await store.addPage(
      id,
      { pageNumber: 1, width: 9, height: 9, failure: null, blobIds: { '320': page.id } },
      1,
    )
    await jobStore.stop(jobId, 1)
    passHours(49)
    expect((await blobs.sweep()).unclaimed).toEqual([orphan.id])
    expect(await blobs.find(id)).not.toBeNull()
  })
})
