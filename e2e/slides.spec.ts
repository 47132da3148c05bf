import { createHash } from 'node:crypto'
import { pdf, textAt } from '@lectern/converter/testing'
import { UPLOADS_PATH } from '@lectern/protocol'
import { beforeAll, describe, expect, it } from 'vitest'
import { addUser, createConference, signInAs } from './support/accounts.ts'
import { useLectern } from './support/lectern.ts'
import { type Account, useMembers } from './support/members.ts'
import { waitFor } from './support/wait.ts'

const PAGES = 8

const lectern = useLectern(() => ({ SVC_CONVERTER_EMBEDDED: '1' }))
const enter = useMembers({ keepsMembers: true })

let teacher: Account
let tag: string
beforeAll(async () => {
  teacher = await signInAs(lectern, await addUser(lectern, 'teacher'))
  tag = (await createConference(lectern, teacher, 'Fractions')).tag
  await enter({ url: lectern.url, tag, account: teacher }).waitForJoin()
})

const call = (path: string, init: RequestInit = {}) =>
  fetch(lectern.url + path, {
    ...init,
    headers: { authorization: `Bearer ${teacher.access_token}`, 'tus-resumable': '1.0.0', ...init.headers },
  })
const get = async (path: string) => (await call(`/api/v1.0${path}`)).json()
const converterPid = () => {
  const lines = lectern.log.split('\n').filter(line => line.includes('"worker":"converter"'))
  const ready = lines.filter(line => line.includes('a worker is ready')).at(-1)
  return ready && Number(JSON.parse(ready).pid)
}

/** Begins an upload; returns its address. */
async function begin(name: string, bytes: Buffer): Promise<string> {
  const entries = {
    ...{ conference: tag, purpose: 'slides', name },
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }
  const metadata = Object.entries(entries).map(([key, value]) => `${key} ${btoa(value)}`)
  const begun = await call(UPLOADS_PATH, {
    method: 'POST',
    headers: { 'upload-length': String(bytes.length), 'upload-metadata': metadata.join(',') },
  })
  expect(begun.status).toBe(201)
  return begun.headers.get('location') ?? ''
}

const append = (location: string, offset: number, bytes: Buffer) =>
  call(location, {
    method: 'PATCH',
    headers: { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) },
    body: new Uint8Array(bytes),
  })

async function upload(name: string, bytes: Buffer): Promise<string> {
  const location = await begin(name, bytes)
  expect((await append(location, 0, bytes)).status).toBe(204)
  return location.slice(UPLOADS_PATH.length + 1)
}

/** The file, when its conversion is over. */
const converted = (id: string) =>
  waitFor(async () => {
    const document = await get(`/files/${id}`)
    return document.state !== 'converting' && document
  }, 'the conversion is over')

describe('slides', () => {
  it('are converted by the worker that the server starts, also if it is killed in the middle', async () => {
    await waitFor(async () => (await get('/server_info')).slides_available, 'the converter is there')
    const pages = Array.from({ length: PAGES }, (_, i) => ({ content: textAt(`Fractions, part ${i + 1}`) }))
    const id = await upload('Fractions.pdf', pdf(pages))
    await waitFor(async () => (await get(`/files/${id}`)).pages.length > 0, 'the first page is there')
    const pid = converterPid() as number
    process.kill(pid, 'SIGKILL')
    const file = await converted(id)
    expect(file).toMatchObject({ state: 'ready', failure: null, page_count: PAGES })
    expect(converterPid()).not.toBe(pid)
    expect(file.pages.map((page: { page_number: number }) => page.page_number)).toEqual(
      pages.map((_, i) => i + 1),
    )
    const picture = await call(`/api/v1.0/files/${id}/pages/${PAGES}/1920`)
    expect(picture.headers.get('content-type')).toMatch(/^image\/(png|jpeg)$/)
    expect((await get(`/files/${id}/pages/${PAGES}/text`)).lines).toMatchObject([
      { text: `Fractions, part ${PAGES}` },
    ])
  })

  it('that are damaged say so', async () => {
    const id = await upload('damaged.pdf', Buffer.from('%PDF-1.7\nnothing'))
    const file = await converted(id)
    expect(file).toMatchObject({
      state: 'failed',
      failure: { reason: 'damaged', message: 'The file is damaged.' },
      pages: [],
    })
  })

  it('continue where they were when the server is killed in the middle of the upload', async () => {
    const bytes = pdf([{ content: textAt('Fractions') }])
    const location = await begin('Fractions.pdf', bytes)
    expect((await append(location, 0, bytes.subarray(0, 100))).status).toBe(204)
    await lectern.stop('SIGKILL')
    await lectern.start()
    const head = await call(location, { method: 'HEAD' })
    expect(head.headers.get('upload-offset')).toBe('100')
    const last = await append(location, 100, bytes.subarray(100))
    expect(await converted(last.headers.get('upload-blob-id') ?? '')).toMatchObject({
      state: 'ready',
      page_count: 1,
    })
  })
})
