import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enterLink, type Partner } from '../../../testing/partner.ts'
import { refused } from '../../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../../testing/server.ts'
import { openTestArchive, type TestArchive } from '../../testing/archive.ts'

const BOTH = ['integration:rooms', 'blob']

let server: TestServer
let testArchive: TestArchive
let school: Partner
let blobId: string
let tag: string
beforeAll(async () => {
  server = await startTestServer({ Server: { LogLevel: 'trace' } })
  testArchive = await openTestArchive(server)
  school = await server.addPartner('school', { scopes: BOTH })
  tag = (await school.room('lesson')).tag
  blobId = (await testArchive.addBlob(tag, 'recorded')).id
})
afterAll(async () => {
  await testArchive.close()
  await server.close()
})

/** Both ways to send a token (rule FILE-2). */
const WAYS: [name: string, get: (id: string, token: string) => ReturnType<TestServer['call']>][] = [
  ['Bearer', (id, token) => server.call('GET', `/api/storage/blobs/${id}`, { token })],
  ['t', (id, token) => server.call('GET', `/api/storage/blobs/${id}?t=${token}`)],
]

const MISSING_BLOB = `b_${'0'.repeat(32)}`

const signIn = async (login: string, settings: Parameters<TestServer['addUser']>[1] = {}) => {
  const user = await server.addUser(login, { password: 'correct horse', ...settings })
  const body = { login, password: user.password }
  return { ...user, token: (await server.call('POST', '/api/v1.0/auth/login', { body })).body.access_token }
}

describe('a blob', () => {
  it('is refused without a token', async () => {
    for (const path of [blobId, MISSING_BLOB, '..', `${blobId}?t=`, `${blobId}?token=${school.token}`]) {
      const answer = await server.call('GET', `/api/storage/blobs/${path}`)
      expect(answer, path).toEqual(refused(401, 'unauthenticated'))
      expect(answer.headers['www-authenticate']).toBe('Bearer')
    }
    const head = await server.call('HEAD', `/api/storage/blobs/${blobId}`)
    expect([head.status, head.body]).toEqual([401, ''])
  })
})

describe.each(WAYS)('a blob, requested with %s,', (way, get) => {
  it('is refused with an invalid token', async () => {
    for (const token of ['x', `${school.token}x`, 'a.b.c'])
      expect(await get(blobId, token)).toEqual(refused(401, 'unauthenticated'))
  })

  it('is refused with a service token that lacks a scope, before the lookup (FILE-1)', async () => {
    for (const [i, scope] of BOTH.entries()) {
      const { token } = await server.addPartner(`half-${i}-${way}`, { user: 'school-robot', scopes: [scope] })
      for (const id of [blobId, MISSING_BLOB])
        expect(await get(id, token)).toEqual(refused(403, 'permission_denied'))
    }
  })

  it('is 404 if it does not exist', async () => {
    const writing = await testArchive.blobs.begin({
      ...(await testArchive.addBlob(tag, 'x')),
      ownerId: school.account.clientId,
    })
    for (const id of [MISSING_BLOB, writing, '..', '%2e%2e%2flectern.db', 'b_%00', 'x'.repeat(500)])
      expect(await get(id, school.token), id).toEqual(refused(404, 'blob_not_found'))
  })

  it('is sent to the owner of its room', async () => {
    expect(await get(blobId, school.token)).toMatchObject({ status: 200, body: 'recorded' })
    const sister = await server.addPartner(`sister-${way}`, { user: 'school-robot', scopes: BOTH })
    expect((await get(blobId, sister.token)).status).toBe(200)
  })

  it('is sent to its owner with a user token', async () => {
    const anna = await signIn(`anna-${way}`.toLowerCase())
    const ben = await signIn(`ben-${way}`.toLowerCase())
    const ofAnna = await testArchive.addBlob('other', 'hers', { ownerId: anna.id })
    const ofBen = await testArchive.addBlob(tag, 'his', { ownerId: ben.id, scope: 'else' })
    expect((await get(ofAnna.id, anna.token)).body).toBe('hers')
    expect((await get(ofBen.id, ben.token)).body).toBe('his')
    expect(await get(ofBen.id, anna.token)).toEqual(refused(403, 'permission_denied'))
    expect(await get(ofBen.id, school.token)).toEqual(refused(403, 'permission_denied'))
  })

  it('is sent to a user with recordings.access', async () => {
    const login = `archivist-${way}`.toLowerCase()
    const archivist = await signIn(login, { kind: 'technical', capabilities: ['recordings.access'] })
    expect((await get(blobId, archivist.token)).status).toBe(200)
    await server.operator.users.set(login, { capabilities: [] })
    expect(await get(blobId, archivist.token)).toEqual(refused(403, 'permission_denied'))
  })

  it("is refused with another partner's service token, whatever its technical user owns or is permitted (FILE-1)", async () => {
    const login = `rival-robot-${way}`.toLowerCase()
    const robot = await server.addUser(login, {
      kind: 'technical',
      capabilities: ['recordings.access', 'jobs.recorder', 'jobs.transcriber'],
    })
    const rival = await server.addPartner(`rival-${way}`, { user: login, scopes: BOTH })
    // A file of the school that the technical user itself has uploaded, like a worker.
    const uploaded = await testArchive.addBlob(tag, 'of the school', { ownerId: robot.id })
    for (const id of [blobId, uploaded.id])
      expect(await get(id, rival.token), id).toEqual(refused(403, 'permission_denied'))
    const own = await testArchive.addBlob((await rival.room('lesson')).tag, 'own')
    expect((await get(own.id, rival.token)).body).toBe('own')
  })

  it('is refused to another partner, another user, a guest and a participant of the room', async () => {
    const clinic = await server.addPartner(`clinic-${way}`, { scopes: BOTH })
    const bob = await signIn(`bob-${way}`.toLowerCase(), { capabilities: ['admin'] })
    const { body: guest } = await server.call('POST', '/api/v1.0/auth/guest')
    const room = await school.room('lesson-with-person', { teacher: { external_id: 't' } })
    const { body: person } = await enterLink(server.call, room.teacher_join_url)
    const ofRoom = await testArchive.addBlob(room.tag, 'x')
    for (const token of [clinic.token, bob.token, guest.access_token, person.access_token])
      for (const { id } of [{ id: blobId }, ofRoom])
        expect(await get(id, token)).toEqual(refused(403, 'permission_denied'))
  })

  it('remains available to the owner of a closed room', async () => {
    const room = await school.room(`closed-${way}`)
    const { id } = await testArchive.addBlob(room.tag, 'x')
    await school.call('POST', `/rooms/closed-${way}/close`)
    expect((await get(id, school.token)).status).toBe(200)
  })

  it('is refused to a disabled account', async () => {
    const club = await server.addPartner(`club-${way}`, { scopes: BOTH })
    await server.operator.serviceAccounts.set(`club-${way}`, { enabled: false })
    expect(await get(blobId, club.token)).toEqual(refused(401, 'unauthenticated'))
  })
})

describe('a token in the URL', () => {
  it('is used only without the header', async () => {
    const path = `/api/storage/blobs/${blobId}?t=${school.token}`
    expect(await server.call('GET', path, { token: 'rubbish' })).toEqual(refused(401, 'unauthenticated'))
    const wrongHint = `/api/storage/blobs/${blobId}?t=rubbish`
    expect((await server.call('GET', wrongHint, { token: school.token })).status).toBe(200)
  })

  it('is refused if it occurs twice', async () => {
    const path = `/api/storage/blobs/${blobId}?t=${school.token}&t=${school.token}`
    expect(await server.call('GET', path)).toEqual(refused(400, 'invalid_argument'))
  })

  it('is never logged', () => {
    const log = server.log()
    expect(log).toContain('/api/storage/blobs/:blob_id')
    expect(log).not.toContain(school.token.slice(-24))
    expect(log).not.toContain(blobId)
  })
})

describe('a server without the integration module', () => {
  it('accepts no service token, and sends users their own files', async () => {
    const plain = await startTestServer({ Integration: { Enabled: '0' } })
    const { token } = school
    expect(await plain.call('GET', `/api/storage/blobs/${blobId}`, { token })).toEqual(
      refused(401, 'unauthenticated'),
    )
    await plain.addUser('anna', { password: 'correct horse' })
    const body = { login: 'anna', password: 'correct horse' }
    const { access_token } = (await plain.call('POST', '/api/v1.0/auth/login', { body })).body
    expect(await plain.call('GET', `/api/storage/blobs/${blobId}`, { token: access_token })).toEqual(
      refused(404, 'blob_not_found'),
    )
    await plain.close()
  })
})
