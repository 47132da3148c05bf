import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ClamdServer, EICAR, startClamd } from '../../../testing/clamd.ts'
import { ClusterParticipant } from '../../../testing/cluster-participant.ts'
import type { Partner } from '../../../testing/partner.ts'
import { refused } from '../../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../../testing/server.ts'
import { appendTo, beginUpload, type FileToUpload } from '../../testing/participant-upload.ts'
import { TestConverter } from '../../testing/test-converter.ts'

const CLEAN = Buffer.from('Notes: x = 3')
const PDF = Buffer.from('%PDF-1.7\nand more')

let clamd: ClamdServer
let server: TestServer
let converter: TestConverter
let school: Partner
let tag: string
let token: string
let teacher: ClusterParticipant
beforeAll(async () => {
  clamd = await startClamd()
  server = await startTestServer({ Server: { LogLevel: 'warn' }, Files: { Clamd: clamd.path } })
  school = await server.addPartner('school')
  const { login, password } = await server.addUser('teacher')
  token = (await server.call('POST', '/api/v1.0/auth/login', { body: { login, password } })).body.access_token
  tag = (await server.call('POST', '/api/v1.0/conferences', { token, body: {} })).body.tag
  teacher = new ClusterParticipant(server, token, tag)
  await teacher.joined(1)
})
afterAll(async () => {
  teacher.client.close()
  await converter?.close()
  await server.close()
  await clamd.stop()
})

const file = (bytes: Buffer, purpose: FileToUpload['purpose'] = 'chat_file'): FileToUpload => ({
  ...{ conference: tag, purpose, name: 'notes.txt', bytes },
})
const idOf = (location: unknown) => String(location).slice(21)
const begin = async (bytes: Buffer, purpose?: FileToUpload['purpose']) =>
  (await beginUpload(server, token, file(bytes, purpose))).headers.location as string
const blobsOf = (location: string) =>
  server.query('main', sql`SELECT id FROM blobs WHERE id = ${idOf(location)}`)

describe('a file that is uploaded where clamd is configured', () => {
  it('is refused for good and removed if a virus is in it (rule U12)', async () => {
    const location = await begin(EICAR)
    expect(await appendTo(server, token, location, 0, EICAR)).toEqual(refused(422, 'file_infected'))
    expect(await appendTo(server, token, location, 0, EICAR)).toEqual(refused(404, 'blob_not_found'))
    expect(await blobsOf(location)).toEqual([])
    expect(server.log()).toContain('Eicar-Test-Signature')
  })

  it('is accepted if it is clean, whatever it is for', async () => {
    converter = await TestConverter.open(server)
    for (const [bytes, purpose] of [
      [CLEAN, 'chat_file'],
      [PDF, 'slides'],
    ] as const)
      expect(await appendTo(server, token, await begin(bytes, purpose), 0, bytes)).toMatchObject({
        status: 204,
      })
  })

  it('is refused, of partners too, and not asked for again, while clamd cannot be reached', async () => {
    await school.room('lesson')
    const location = await begin(CLEAN)
    await clamd.kill()
    expect(await appendTo(server, token, location, 0, CLEAN)).toEqual(refused(424, 'scan_unavailable'))
    expect(await blobsOf(location)).toEqual([])
    expect(await beginUpload(server, token, file(CLEAN))).toEqual(refused(424, 'scan_unavailable'))
    const put = () =>
      school.call('PUT', '/rooms/lesson/slides', { raw: PDF, headers: { 'content-type': 'application/pdf' } })
    expect(await put()).toEqual(refused(424, 'scan_unavailable'))
    await clamd.start()
    expect(await put()).toMatchObject({ status: 200 })
  })

  it('is refused if it is larger than what clamd scans', async () => {
    await clamd.kill()
    await clamd.start(['StreamMaxLength 1M'])
    const large = Buffer.alloc(8_000_000, 'a')
    expect(await appendTo(server, token, await begin(large), 0, large)).toEqual(
      refused(413, 'payload_too_large'),
    )
  })
})
