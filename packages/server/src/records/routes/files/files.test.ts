import { writeZip } from '@lectern/common/zip'
import { OFFICE_TYPES } from '@lectern/protocol'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ClusterParticipant } from '../../../testing/cluster-participant.ts'
import { refused } from '../../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../../testing/server.ts'
import { appendTo, beginUpload, type FileToUpload, uploadFile } from '../../testing/participant-upload.ts'
import { TestConverter } from '../../testing/test-converter.ts'
import { openWorker } from '../../testing/worker.ts'

const PDF = Buffer.from('%PDF-1.7\nand more')
/** With a text that is removed. */
const PNG = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\x03tEXtGPScrc_\0\0\0\0IENDcrc_', 'latin1')

let server: TestServer
let tag: string
let converter: TestConverter
const tokens: Record<string, string> = {}
const inside: ClusterParticipant[] = []
const tokenOf = (login: string) => tokens[login] ?? ''
const person = async (login: string) => {
  const { password } = await server.addUser(login)
  const { body } = await server.call('POST', '/api/v1.0/auth/login', { body: { login, password } })
  tokens[login] = body.access_token
}
const join = async (login: string) => {
  const participant = new ClusterParticipant(server, tokenOf(login), tag)
  inside.push(participant)
  await participant.joined(1)
}
beforeAll(async () => {
  server = await startTestServer()
  for (const login of ['teacher', 'ben', 'stranger', 'cleo', 'dora']) await person(login)
  tag = (await server.call('POST', '/api/v1.0/conferences', { token: tokenOf('teacher'), body: {} })).body.tag
  for (const login of ['teacher', 'ben', 'cleo', 'dora']) await join(login)
})
afterAll(async () => {
  for (const { client } of inside) client.close()
  await converter?.close()
  await server.close()
})

const slides = (changes: Partial<FileToUpload> = {}): FileToUpload => ({
  conference: tag,
  purpose: 'slides',
  name: 'Brüche.pdf',
  bytes: PDF,
  ...changes,
})
const chatFile = (changes: Partial<FileToUpload> = {}): FileToUpload =>
  slides({ purpose: 'chat_file', name: 'notes.txt', bytes: Buffer.from('Notes: x = 3'), ...changes })
const get = (path: string, login: string) => server.call('GET', `/api/v1.0${path}`, { token: tokenOf(login) })
const remove = (id: string, login: string) =>
  server.call('DELETE', `/api/v1.0/files/${id}`, { token: tokenOf(login) })

describe('slides', () => {
  it('are refused before the upload begins while there is no converter (rule U10)', async () => {
    const answer = await beginUpload(server, tokenOf('teacher'), slides())
    expect(answer).toMatchObject(refused(503, 'temporarily_unavailable'))
    expect(answer.body.message).toContain('cannot convert slides')
  })

  it('become pages one by one, which everybody inside may see', async () => {
    converter = await TestConverter.open(server)
    const id = await uploadFile(server, tokenOf('teacher'), slides())
    expect((await get(`/files/${id}`, 'ben')).body).toMatchObject({
      ...{ name: 'Brüche.pdf', content_type: 'application/pdf', state: 'converting', pages: [] },
      ...{ page_count: null, failure: null },
    })
    const job = await converter.lease(id)
    const source = await server.call('GET', `/api/v1.0/files/${id}/content`, { token: converter.token })
    expect(source.body).toBe(PDF.toString())
    await converter.addPage(job, 1, 2)
    expect((await get(`/files/${id}`, 'ben')).body).toMatchObject({
      ...{ state: 'converting', page_count: 2 },
      pages: [{ page_number: 1, width: 1920, height: 1080, failure: null }],
    })
    const picture = await get(`/files/${id}/pages/1/960`, 'ben')
    expect(picture).toMatchObject({
      status: 200,
      headers: { 'content-type': 'image/png', 'x-content-type-options': 'nosniff' },
    })
    expect((await get(`/files/${id}/pages/1/text`, 'ben')).body.lines).toEqual([
      { text: 'Fractions', box: [1, 2, 3, 4] },
    ])
    for (const path of ['pages/1/1920', 'pages/2/960', 'pages/9/text'])
      expect(await get(`/files/${id}/${path}`, 'ben')).toEqual(refused(404, 'blob_not_found'))
    for (const path of [`/files/${id}`, `/files/${id}/pages/1/960`, `/files/${id}/content`])
      expect(await get(path, 'stranger')).toEqual(refused(404, 'blob_not_found'))
  })

  it('accept a page of the job alone, and the first of two', async () => {
    const id = await uploadFile(server, tokenOf('teacher'), slides())
    const job = await converter.lease(id)
    await converter.addPage(job, 1, 1, 'too_slow')
    expect((await converter.addPage(job, 1, 1)).status).toBe(204)
    const page = { ...{ page_number: 2, page_count: 2, width: 9, height: 9, failure: null }, lines: [] }
    const stolen = { ...page, blob_ids: { '960': id } }
    const upload = (body: object) =>
      converter.upload(job, 'pages/2/page.json', 'application/json', Buffer.from(JSON.stringify(body)))
    expect((await upload(stolen)).status).toBe(400)
    expect((await upload({ ...page, blob_ids: {}, page_number: 3 })).status).toBe(400)
    const { pages } = (await get(`/files/${id}`, 'teacher')).body
    expect(pages).toEqual([
      expect.objectContaining({
        page_number: 1,
        failure: { reason: 'too_slow', message: 'Drawing it takes too long.' },
      }),
    ])
  })

  it('are read by the recorder of their conference while it has the job, files in the chat are not', async () => {
    const id = await uploadFile(server, tokenOf('teacher'), slides())
    await converter.addPage(await converter.lease(id), 1, 1)
    const note = await uploadFile(server, tokenOf('ben'), chatFile())
    const other = await server.call('POST', '/api/v1.0/conferences', { token: tokenOf('ben'), body: {} })
    const recorder = await openWorker(server, 'recorder', 'jobs.recorder')
    const elsewhere = await openWorker(server, 'recorder-2', 'jobs.recorder')
    await elsewhere.lease('recording', other.body.tag)
    const read = async ({ token }: { token: string }, path = `${id}/pages/1/960`) =>
      (await server.call('GET', `/api/v1.0/files/${path}`, { token })).status
    expect(await read(recorder), 'without a job').toBe(404)
    const job = await recorder.lease('recording', tag)
    expect(await read(recorder)).toBe(200)
    expect(await read(recorder, `${note}/content`)).toBe(404)
    expect(await read(elsewhere)).toBe(404)
    await recorder.end(job)
    expect(await read(recorder)).toBe(404)
    await remove(note, 'ben')
    await recorder.close()
    await elsewhere.close()
  })

  it('are added by moderators only, and are what they say (rule U12)', async () => {
    expect(await beginUpload(server, tokenOf('ben'), slides())).toMatchObject(
      refused(403, 'permission_denied'),
    )
    expect(await beginUpload(server, tokenOf('stranger'), slides())).toMatchObject(
      refused(403, 'permission_denied'),
    )
    const begun = await beginUpload(
      server,
      tokenOf('teacher'),
      slides({ bytes: Buffer.from('MZ not a PDF') }),
    )
    const location = begun.headers.location as string
    const last = await appendTo(server, tokenOf('teacher'), location, 0, Buffer.from('MZ not a PDF'))
    expect(last).toMatchObject(refused(415, 'unsupported_media_type'))
    const rows = await server.query('main', sql`SELECT id FROM blobs WHERE id = ${location.slice(21)}`)
    expect(rows).toEqual([])
  })

  it('are office documents only while a converter takes these', async () => {
    const document = writeZip([['mimetype', OFFICE_TYPES.odp]])
    const send = async (bytes: Buffer) => {
      const { headers } = await beginUpload(server, tokenOf('teacher'), slides({ name: 'a.pdf', bytes }))
      return appendTo(server, tokenOf('teacher'), headers.location as string, 0, bytes)
    }
    const answer = await send(document)
    expect(answer).toMatchObject(refused(415, 'unsupported_media_type'))
    expect(answer.body.message).toContain('opens no office documents')
    await converter.takeOffice()
    const { headers } = await send(document)
    const id = headers['upload-blob-id'] as string
    expect((await get(`/files/${id}`, 'ben')).body).toMatchObject({ content_type: OFFICE_TYPES.odp })
    await converter.addPage(await converter.lease(id), 1, 1)
    const withMacros = await send(writeZip([['[Content_Types].xml', 'macroEnabled']]))
    expect(withMacros).toMatchObject(refused(415, 'unsupported_media_type'))
    expect(withMacros.body.message).toContain('without macros')
  })
})

describe('a file in the chat', () => {
  it('arrives in pieces, is listed, and is downloaded as an attachment that can do nothing (rule U11)', async () => {
    const file = chatFile({ name: 'a <b>.html', bytes: Buffer.from('<script>alert(1)</script>') })
    const { headers } = await beginUpload(server, tokenOf('ben'), file)
    const location = headers.location as string
    await appendTo(server, tokenOf('ben'), location, 0, file.bytes.subarray(0, 5))
    expect(await appendTo(server, tokenOf('cleo'), location, 5, file.bytes.subarray(5))).toMatchObject(
      refused(403, 'permission_denied'),
    )
    const listed = async () =>
      (await get(`/conferences/${tag}/files`, 'cleo')).body.files.filter(
        ({ purpose }: { purpose: string }) => purpose === 'chat_file',
      )
    expect(await listed()).toEqual([])
    const last = await appendTo(server, tokenOf('ben'), location, 5, file.bytes.subarray(5))
    const id = last.headers['upload-blob-id'] as string
    expect(await listed()).toEqual([expect.objectContaining({ file_id: id, state: 'stored' })])
    const { headers: sent } = await get(`/files/${id}/content`, 'cleo')
    expect(sent['content-type']).toBe('text/plain; charset=utf-8')
    expect(sent['content-disposition']).toMatch(/^attachment; filename="a <b>\.html"/)
    expect(sent['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'self'; sandbox")
    expect(sent['x-content-type-options']).toBe('nosniff')
  })

  it('has a name of one line that cannot turn what is after it (rule U10)', async () => {
    const script = await uploadFile(server, tokenOf('dora'), chatFile({ name: 'invoice\u202efdp\n.js' }))
    expect((await get(`/files/${script}`, 'cleo')).body.name).toBe('invoicefdp .js')
    const unseen = await uploadFile(server, tokenOf('dora'), chatFile({ name: '\u202e\u200b ' }))
    expect((await get(`/files/${unseen}`, 'cleo')).body.name).toBe('file')
  })

  it('is shown if it is an image or a PDF by its content', async () => {
    const id = await uploadFile(server, tokenOf('ben'), chatFile({ name: 'photo.exe', bytes: PNG }))
    const { headers, body } = await get(`/files/${id}/content`, 'cleo')
    expect(body).not.toContain('GPS')
    expect((await get(`/files/${id}`, 'cleo')).body.size).toBe(PNG.length - 15)
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': 'inline; filename="photo.exe"',
    })
  })

  it('is removed by its author and by moderators', async () => {
    const ids = [
      await uploadFile(server, tokenOf('ben'), chatFile()),
      await uploadFile(server, tokenOf('ben'), chatFile()),
    ]
    expect(await remove(ids[0] ?? '', 'cleo')).toEqual(refused(403, 'permission_denied'))
    expect(await remove(ids[0] ?? '', 'stranger')).toEqual(refused(404, 'blob_not_found'))
    expect((await remove(ids[0] ?? '', 'ben')).status).toBe(200)
    expect((await remove(ids[1] ?? '', 'teacher')).status).toBe(200)
    for (const id of ids) expect(await get(`/files/${id}`, 'ben')).toEqual(refused(404, 'blob_not_found'))
    const rows = await server.query('main', sql`SELECT id FROM blobs WHERE id IN (${ids[0]}, ${ids[1]})`)
    expect(rows).toEqual([])
  })

  it('that is too large, or one too many, is refused before it is sent (rule U10)', async () => {
    const large = await beginUpload(server, tokenOf('cleo'), chatFile({ size: 25_000_001 }))
    expect(large).toMatchObject(refused(413, 'payload_too_large'))
    expect(large.body.message).toBe('Such a file may have 25 MB.')
    const answers = []
    for (let i = 0; i < 11; i++)
      answers.push((await beginUpload(server, tokenOf('cleo'), chatFile({ size: 24_000_000 }))).status)
    expect(answers).toEqual([...Array(8).fill(201), 409, 409, 429])
  })

  it('is accepted whatever others have announced and do not send', async () => {
    await uploadFile(server, tokenOf('dora'), chatFile())
    const { status } = await beginUpload(server, tokenOf('dora'), chatFile({ size: 24_000_000 }))
    expect(status).toBe(201)
  })

  it('can be cancelled while it is uploaded (rule U11)', async () => {
    const begun = await beginUpload(server, tokenOf('dora'), chatFile())
    const id = (begun.headers.location as string).slice(21)
    expect(await remove(id, 'teacher')).toEqual(refused(404, 'blob_not_found'))
    expect((await remove(id, 'dora')).status).toBe(200)
    const late = await appendTo(server, tokenOf('dora'), begun.headers.location as string, 0, PNG)
    expect(late).toMatchObject(refused(404, 'blob_not_found'))
  })
})
