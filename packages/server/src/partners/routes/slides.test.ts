import { request } from 'node:http'
import { writeZip } from '@lectern/common/zip'
import { ControlClient, platformEnvironment } from '@lectern/control-client'
import { OFFICE_TYPES } from '@lectern/protocol'
import type { BoardIndex } from '@lectern/protocol/control/client'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { TestConverter } from '../../records/testing/test-converter.ts'
import { enterLink, type Partner, tokenOf } from '../../testing/partner.ts'
import { refused } from '../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

const PDF = Buffer.from('%PDF-1.7\nfractions')
const OTHER = Buffer.from('%PDF-1.7\npowers')
const TEACHER = { teacher: { display_name: 'Anna', external_id: 'anna' } }

let server: TestServer
let school: Partner
let clinic: Partner
let converter: TestConverter
const clients: ControlClient[] = []
beforeAll(async () => {
  server = await startTestServer()
  school = await server.addPartner('school')
  clinic = await server.addPartner('clinic')
})
afterAll(async () => {
  for (const client of clients) client.close()
  await converter?.close()
  await server.close()
})

const put = (partner: Partner, room: string, raw: Buffer, query = '', type = 'application/pdf') =>
  partner.call('PUT', `/rooms/${room}/slides${query}`, { raw, headers: { 'content-type': type } })
const get = async (partner: Partner, room: string) =>
  (await partner.call('GET', `/rooms/${room}/slides`)).body.slides
const idOf = async (room: string, raw: Buffer): Promise<string> =>
  (await put(school, room, raw)).body.slides.file_id

/** Sends the first bytes of a document alone, and resolves with the status of the answer. */
const beginToPut = (room: string, bytes: Buffer, size: number) =>
  new Promise<number | undefined>((resolve, reject) => {
    const url = `${server.url}/api/v1/integration/rooms/${room}/slides`
    const headers = { authorization: `Bearer ${school.token}`, 'content-length': size, 'content-type': 'a/b' }
    const sending = request(url, { method: 'PUT', headers }, answer => {
      resolve(answer.statusCode)
      sending.destroy()
    })
    sending.on('error', reject)
    sending.write(bytes)
  })

/** Enters the room as its teacher. */
async function enter(joinUrl: string) {
  const { access_token } = (await enterLink(server.call, joinUrl)).body
  const client = new ControlClient(platformEnvironment(WebSocket), {
    url: `${server.url.replace('http', 'ws')}/api/v1.0/control`,
    accessToken: async () => access_token,
    joinToken: tokenOf(joinUrl),
    client: { name: 'test', version: '1', platform: 'node' },
  })
  clients.push(client)
  client.open()
  const { tag } = (await server.call('GET', `/api/v1/integration/join/${tokenOf(joinUrl)}`)).body
  await expect.poll(() => client.state.get().is).toBe('ready')
  const { conference_session_id: id } = await client.command(
    'conference.join',
    { kind: 'conference', id: tag },
    {},
  )
  const board = (): BoardIndex | undefined => client.session(id).get()?.board
  await expect.poll(() => board() !== undefined).toBe(true)
  return {
    /** The files and the numbers of the pages; `-` is a page without a file. */
    pages: () =>
      board()?.pages.map(({ background: each }) =>
        'file_id' in each && each.kind === 'document' ? [each.file_id, each.page_number] : '-',
      ),
    draw: (pageId: string) =>
      client.command(
        'board.put',
        { kind: 'conference_session', id },
        {
          ...{ page_id: pageId, element_id: 'element-1', version: 1, kind: 'stroke' },
          data: { points: [0, 0, 9], color: '#000000', width: 3, duration_ms: 1 },
        },
      ),
    pageId: (index: number) => board()?.pages[index]?.page_id ?? '',
    end: () => client.command('conference.end', { kind: 'conference', id: tag }, {}),
  }
}

describe('slides of a room', () => {
  it('are refused while there is no converter', async () => {
    await school.room('early')
    expect(await put(school, 'early', PDF)).toMatchObject(refused(503, 'temporarily_unavailable'))
    converter = await TestConverter.open(server)
  })

  it('are on the board of the next session, page by page in their order, and of the one after it (SLIDES-1)', async () => {
    const room = await school.room('before', TEACHER)
    expect(await get(school, 'before')).toBeNull()
    const { status, body } = await put(school, 'before', PDF, '?name=Br%C3%BCche')
    expect([status, body.slides]).toMatchObject([
      200,
      { name: 'Brüche', content_type: 'application/pdf', size: PDF.length, state: 'converting', pages: [] },
    ])
    const { file_id } = body.slides
    const job = await converter.lease(file_id)
    await converter.addPage(job, 1, 3)
    await converter.addPage(job, 3, 3)
    expect(await get(school, 'before')).toMatchObject({
      page_count: 3,
      pages: [{ page_number: 1 }, { page_number: 3 }],
    })
    const lesson = await enter(room.teacher_join_url)
    expect(lesson.pages()).toEqual([[file_id, 1]])
    await converter.addPage(job, 2, 3)
    const all = [1, 2, 3].map(number => [file_id, number])
    await expect.poll(lesson.pages).toEqual(all)
    await lesson.end()
    expect((await enter(room.teacher_join_url)).pages()).toEqual(all)
  })

  it('replace earlier ones, except pages with drawings; the same document changes nothing (SLIDES-2)', async () => {
    const room = await school.room('twice', TEACHER)
    const first = await idOf('twice', PDF)
    const job = await converter.lease(first)
    for (const page of [1, 2]) await converter.addPage(job, page, 2)
    const lesson = await enter(room.teacher_join_url)
    await lesson.draw(lesson.pageId(1))
    expect(await idOf('twice', PDF)).toBe(first)
    const second = await idOf('twice', OTHER)
    expect(second).not.toBe(first)
    expect(lesson.pages()).toEqual([
      [first, 1],
      [first, 2],
    ])
    await converter.addPage(await converter.lease(second), 1, 1)
    await expect.poll(lesson.pages).toEqual([
      [second, 1],
      [first, 2],
    ])
    // The drawing is on it, so that the document stays.
    const third = await idOf('twice', PDF)
    await converter.lease(third)
    expect((await get(school, 'twice')).file_id).toBe(third)
    expect(await filesOf(room.tag)).toEqual([first, second, third].sort())
  })

  it('are at the beginning of each session in a room whose board is fresh (SLIDES-1)', async () => {
    const room = await school.room('fresh', { ...TEACHER, board: 'fresh' })
    const file = await idOf('fresh', PDF)
    await converter.addPage(await converter.lease(file), 1, 1)
    for (let session = 0; session < 2; session++) {
      const lesson = await enter(room.teacher_join_url)
      expect(lesson.pages()).toEqual([[file, 1]])
      await lesson.draw(lesson.pageId(0))
      await lesson.end()
    }
  })

  it('have 500 MB in a room, of which earlier ones that no board shows take nothing (SLIDES-4)', async () => {
    const { tag } = await school.room('full')
    await idOf('full', PDF)
    const [second, third] = [await idOf('full', OTHER), await idOf('full', Buffer.from('%PDF-1.7\nroots'))]
    expect(await filesOf(tag)).toEqual([second, third].sort())
    await server.query('main', sql`UPDATE conference_files SET size = 500000000 WHERE id = ${third}`)
    expect(await put(school, 'full', PDF)).toMatchObject(refused(409, 'file_quota_exceeded'))
  })

  it('are PDF or an image by their content, and not too large', async () => {
    await school.room('wrong')
    expect(await put(school, 'wrong', Buffer.from('MZ not a PDF'))).toMatchObject(
      refused(415, 'unsupported_media_type'),
    )
    expect(await put(school, 'wrong', Buffer.from('{"a": 1}'), '', 'application/json')).toMatchObject(
      refused(415, 'unsupported_media_type'),
    )
    expect(await put(school, 'wrong', Buffer.alloc(0))).toMatchObject(refused(400, 'invalid_argument'))
    const image = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(20_000_000)])
    expect(await put(school, 'wrong', image)).toMatchObject(refused(413, 'payload_too_large'))
    expect(await get(school, 'wrong')).toBeNull()
  })

  it('are office documents while a converter takes these, else they are refused by their first bytes', async () => {
    await school.room('office')
    const document = writeZip([['mimetype', OFFICE_TYPES.odt]])
    expect(await beginToPut('office', document, 40_000_000)).toBe(415)
    expect(await put(school, 'office', document)).toMatchObject(refused(415, 'unsupported_media_type'))
    await converter.takeOffice()
    expect((await put(school, 'office', document)).body.slides).toMatchObject({
      content_type: OFFICE_TYPES.odt,
      state: 'converting',
    })
    expect(await put(school, 'office', writeZip([['a.txt', 'x']]))).toMatchObject(
      refused(415, 'unsupported_media_type'),
    )
  })

  it('are the partner’s own, in both versions of the API', async () => {
    const room = await school.room('mine')
    await clinic.room('mine')
    const file = await idOf('mine', PDF)
    expect(await get(clinic, 'mine')).toBeNull()
    expect(await put(clinic, 'none', PDF)).toMatchObject(refused(404, 'room_not_found'))
    expect(await server.call('GET', `/api/v1.0/files/${file}`, { token: clinic.token })).toMatchObject({
      status: 401,
    })
    const second = '/api/v2/integration/rooms/mine/slides'
    const slidesOf = async ({ token }: Partner) => (await server.call('GET', second, { token })).body.slides
    expect(await slidesOf(school)).toMatchObject({ file_id: file })
    expect(await slidesOf(clinic)).toBeNull()
    const options = { token: school.token, raw: OTHER, headers: { 'content-type': 'application/pdf' } }
    expect((await server.call('PUT', second, options)).body.slides).toEqual(await get(school, 'mine'))
    const deleted = await server.call('DELETE', '/api/v2/integration/rooms/mine', { token: school.token })
    expect(deleted.status).toBe(200)
    await expect.poll(() => filesOf(room.tag), { timeout: 20_000 }).toEqual([])
  })
})

/** Those that are not about to be removed. */
const filesOf = async (tag: string): Promise<string[]> => {
  const rows = await server.query<{ id: string }>(
    'main',
    sql`SELECT id FROM conference_files WHERE conference_tag = ${tag} AND state <> 'removing' ORDER BY id`,
  )
  return rows.map(({ id }) => id)
}
