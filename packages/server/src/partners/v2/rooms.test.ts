import { Refusal } from '@lectern/protocol'
import { describe, expect, it } from 'vitest'
import { openIntegrationStore } from '../../platform/db/open.ts'
import { resolveLink } from '../../testing/partner.ts'
import { refused } from '../../testing/refused.ts'
import { roomStore } from '../stores/rooms.ts'
import { HostedRooms } from './rooms/hosted-rooms.ts'
import { useTwoPartners } from './testing/two-partners.ts'

const { opened, api, other, put } = useTwoPartners()

describe('rooms of version 2', () => {
  it('are created, changed, listed, and are the rooms of version 1', async () => {
    const created = await put('r-1', {
      title: 'Algebra',
      starts_at: '2030-09-01T10:00:00+03:00',
      lobby: true,
      board: 'fresh',
    })
    expect(created).toMatchObject({
      board: 'fresh',
      created: true,
      starts_at: '2030-09-01T07:00:00.000Z',
      lobby: true,
      recording: { mode: 'automatic', format: 'mkv', keep_days: null },
    })
    const body = { recording: { format: 'mp4', keep_days: 30 }, metadata: { course: 'a' } }
    expect((await api('PATCH', '/rooms/r-1', { body })).body).toMatchObject({
      title: 'Algebra',
      lobby: true,
      recording: { mode: 'automatic', format: 'mp4', keep_days: 30 },
      metadata: { course: 'a' },
    })
    expect(await put('r-1', { title: 'Geometry' })).toMatchObject({
      created: false,
      title: 'Geometry',
      lobby: true,
    })
    expect((await opened.school.get('r-1')).body).toMatchObject({
      ...{ title: 'Geometry', tag: created.tag, board: 'fresh' },
    })
    expect((await api('PATCH', '/rooms/r-1', { body: { board: 'off' } })).body).toMatchObject({
      board: 'off',
    })
    await opened.school.patch('r-1', { title: 'Physics' })
    expect((await api('GET', '/rooms/r-1')).body).toMatchObject({ title: 'Physics', lobby: true })
    await put('r-2')
    const first = (await api('GET', '/rooms?limit=1')).body
    expect(first.rooms).toMatchObject([{ external_id: 'r-1' }])
    const second = (await api('GET', `/rooms?limit=1&after=${first.next}`)).body
    expect(second).toMatchObject({ rooms: [{ external_id: 'r-2' }], next: null })
  })

  it('are created anew by a PUT if another request deletes them meanwhile', async () => {
    const { tag } = await put('r-7', { title: 'Algebra' })
    const integration = await openIntegrationStore(opened.server.config.Db.IntegrationDb)
    const store = roomStore(integration.db)
    let isDeleted = false
    const find: typeof store.find = async (...key) => {
      const found = await store.find(...key)
      if (!isDeleted) await store.remove(tag)
      isDeleted = true
      return found
    }
    const rooms = new HostedRooms({
      store: { ...store, find },
      clock: Date.now,
      keptDaysMax: null,
      publicUrl: () => '',
      ...{ conferences: {} as never, deletions: {} as never, retention: {} as never },
    })
    const again = await rooms.put(opened.school.account.clientId, 'r-7', { description: 'Anew' })
    await integration.close()
    expect(again).toMatchObject({ created: true, room: { title: 'r-7', description: 'Anew' } })
    expect(again.room.tag).not.toBe(tag)
  })

  it('let those in who need not wait any more, also if a request fails after its change and is repeated', async () => {
    await put('r-8', { lobby: true })
    const integration = await openIntegrationStore(opened.server.config.Db.IntegrationDb)
    const reevaluated: string[] = []
    let isReachable = false
    const reevaluateLobby = async (tag: string) => {
      if (!isReachable) throw new Refusal('temporarily_unavailable')
      reevaluated.push(tag)
    }
    const rooms = new HostedRooms({
      store: roomStore(integration.db),
      clock: Date.now,
      keptDaysMax: null,
      publicUrl: () => '',
      conferences: { reevaluateLobby } as never,
      ...{ deletions: {} as never, retention: {} as never },
    })
    const { clientId } = opened.school.account
    const { tag } = await rooms.change(clientId, 'r-8', { title: 'Algebra' })
    const letIn = () => rooms.change(clientId, 'r-8', { lobby: false })
    await expect(letIn()).rejects.toMatchObject({ code: 'temporarily_unavailable' })
    isReachable = true
    await letIn()
    await rooms.put(clientId, 'r-8', { plain_link: 'open' })
    await integration.close()
    expect(reevaluated).toEqual([tag, tag])
  })

  it('tell the page how it looks, and what it offers', async () => {
    const body = {
      brand: { name: 'School', accent: '#0a7d5a' },
      layout: 'grid',
      language: 'fr',
      return_url: 'https://school.example/lessons',
      transcription: { captions: true },
      features: { chat: false, screen_sharing: false },
      plain_link: 'open',
    }
    const features = { chat: false, files: true, screen_sharing: false, reactions: true, captions: true }
    const { transcription, plain_link, ...page } = { ...body, features }
    const { tag } = await put('r-5', body)
    expect((await api('PATCH', '/rooms/r-5', { body: { brand: {} } })).body).toMatchObject({
      ...page,
      transcription: { mode: 'off', language: null, captions: true },
    })
    const { join_url } = (await api('PUT', '/rooms/r-5/people/s-1')).body
    const joined = (await resolveLink(opened.server.call, join_url)).body
    expect(joined).toMatchObject({ page, features: { chat: false, transcription: true } })
    expect((await opened.server.call('GET', `/api/v1.0/conferences/${tag}`)).body).toMatchObject({ page })
    const message = { body: { text: 'Hello' } }
    expect(await api('POST', '/rooms/r-5/messages', message)).toEqual(refused(409, 'chat_off'))
    await put('r-6')
    const usual = (await api('PUT', '/rooms/r-6/people/s-1')).body
    expect((await resolveLink(opened.server.call, usual.join_url)).body).not.toHaveProperty('page')
  })

  it('refuse addresses to return to that are not safe, malformed colours, and what is too large', async () => {
    const odd = [
      'https:opened.school.example',
      ' https://school.example',
      'https:\\\\opened.school.example',
      'https://a b.example',
      'https://opened.school.example/\0',
      'https://opened.school.example/\u0007\u007f',
      'https://opened.school.example/\ud800',
    ]
    const unsafe = [
      'http://school.example',
      'javascript:alert(1)',
      '/lessons',
      '',
      'https://u:p@opened.school.example',
    ]
    for (const return_url of [...unsafe, ...odd])
      expect(await api('PUT', '/rooms/r-3', { body: { return_url } })).toEqual(
        refused(400, 'invalid_argument'),
      )
    for (const body of [{ brand: { accent: 'red' } }, { layout: 'mosaic' }, { language: 'xx' }])
      expect(await api('PUT', '/rooms/r-3', { body })).toEqual(refused(400, 'invalid_argument'))
    const metadata = { long: 'x'.repeat(5_000) }
    expect(await api('PUT', '/rooms/r-3', { body: { metadata } })).toEqual(refused(400, 'invalid_argument'))
    for (const odd of [{ 'a\nb': { deep: [1] } }, { 'a\nb': 7 }, { 'a\0': 'x' }, { a: null }])
      expect(await api('PUT', '/rooms/r-3', { body: { metadata: odd } })).toEqual(
        refused(400, 'invalid_argument'),
      )
    expect(await api('PUT', '/rooms/r-3', { raw: '{"metadata":{"\\ud800":"x"}}' })).toEqual(
      refused(400, 'invalid_argument'),
    )
    expect(await api('GET', '/rooms/r-3')).toEqual(refused(404, 'room_not_found'))
    expect(await api('PUT', '/rooms/r-3', { body: { recording: { mode: 'never' } } })).toEqual(
      refused(400, 'invalid_argument'),
    )
  })

  it('open their links only so long before the start, and record as they are set', async () => {
    const starts_at = new Date(Date.now() + 3_600_000).toISOString()
    await put('r-4', { starts_at, opens_before_s: 600, recording: { mode: 'off' } })
    const { join_url } = (await api('PUT', '/rooms/r-4/people/s-1')).body
    const early = await resolveLink(opened.server.call, join_url)
    expect(early).toEqual(refused(403, 'room_not_open'))
    const opensIn = Number(early.headers['retry-after'])
    expect(opensIn).toBeGreaterThan(2_900)
    expect(opensIn).toBeLessThanOrEqual(3_000)
    await put('r-4', { opens_before_s: 7_200 })
    expect((await resolveLink(opened.server.call, join_url)).body).toMatchObject({
      recording: { mode: 'off' },
    })
    expect(await api('POST', '/rooms/r-4/recording/start')).toEqual(refused(409, 'recording_off'))
  })
})

describe('Idempotency-Key', () => {
  const rotate = (key: string, person = 's-2') =>
    api('POST', `/rooms/keys/people/${person}/rotate`, { headers: { 'idempotency-key': key } })

  it('IDEMPOTENT-1 gives a repeated POST the first answer for a day', async () => {
    await put('keys')
    await api('PUT', '/rooms/keys/people/s-2')
    await api('PUT', '/rooms/keys/people/s-3')
    const first = await rotate('k-1')
    const again = await rotate('k-1')
    expect(again.body).toEqual(first.body)
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect((await rotate('k-2')).body.join_url).not.toBe(first.body.join_url)
    expect(await rotate('k-1', 's-3')).toEqual(refused(422, 'idempotency_key_reused'))
    const ofOther = await other('POST', '/rooms/keys/people/s-2/rotate', {
      headers: { 'idempotency-key': 'k-1' },
    })
    expect(ofOther).toEqual(refused(404, 'room_not_found'))
    await opened.calls.db
      .updateTable('partner_requests')
      .set({ created_at_ms: Date.now() - 86_400_001 })
      .execute()
    expect((await rotate('k-1')).body.join_url).not.toBe(first.body.join_url)
  })

  it('IDEMPOTENT-2 refuses a repetition while the first one is handled', async () => {
    await opened.calls.db
      .updateTable('partner_requests')
      .set({ status: null, created_at_ms: Date.now() })
      .where('key', '=', 'k-1')
      .execute()
    expect(await rotate('k-1')).toEqual(refused(409, 'idempotency_key_in_use'))
  })
})
