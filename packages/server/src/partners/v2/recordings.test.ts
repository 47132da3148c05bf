import { describe, expect, it, vi } from 'vitest'
import { openIntegrationStore } from '../../platform/db/open.ts'
import { refused } from '../../testing/refused.ts'
import { startTestServer } from '../../testing/server.ts'
import { useTwoPartners } from './testing/two-partners.ts'
import { sweepRecordings, type Version2, version2 } from './testing.ts'

const { opened, api, put } = useTwoPartners()
const until = (check: () => unknown) => vi.waitFor(check, { timeout: 100_000, interval: 50 })

/** The recordings that the hourly sweep would delete. */
async function sweptRecordings(stuck: string | null = null): Promise<string[]> {
  const integration = await openIntegrationStore(opened.server.config.Db.IntegrationDb)
  const swept = await sweepRecordings(opened.calls.db, integration.db, stuck)
  await integration.close()
  return swept
}

describe('recordings', () => {
  const addRecording = async (tag: string, jobId: string, changes: object = {}) => {
    const { id } = await opened.archive.addBlob(tag, '0123456789', {
      name: 'recording.mp4',
      contentType: 'video/mp4',
    })
    await opened.archive.addRecording(tag, jobId, { blobIds: [id], ...changes })
    return id
  }

  it('are listed in pages of at most 8 MiB', async () => {
    const { tag } = await put('rec-long')
    for (const id of ['job_l1', 'job_l2', 'job_l3']) await addRecording(tag, id)
    const [file] = (await api('GET', '/recordings?room=rec-long')).body.recordings[0].files
    const files = JSON.stringify([
      { ...file, path: 'x'.repeat(5_000_000), contentType: 'video/mp4', blobId: 'b' },
    ])
    await opened.calls.db.updateTable('recordings').set({ files }).where('conference_tag', '=', tag).execute()
    const read: string[][] = []
    for (let next: number | null = 0; next !== null; ) {
      const page: Awaited<ReturnType<Version2>> = await api('GET', `/recordings?room=rec-long&after=${next}`)
      read.push(page.body.recordings.map(({ id }: { id: string }) => id))
      next = page.body.next
    }
    expect(read).toEqual([['job_l1'], ['job_l2'], ['job_l3']])
    await opened.calls.db
      .updateTable('recordings')
      .set({ files: '[]' })
      .where('conference_tag', '=', tag)
      .execute()
  })

  it('are listed whatever order a query asks for that the list does not have, as people are', async () => {
    const { tag } = await put('rec-order')
    await addRecording(tag, 'job_order')
    await api('PUT', '/rooms/rec-order/people/a')
    const found = (await api('GET', '/recordings?room=rec-order&order=desc')).body.recordings
    expect(found).toMatchObject([{ id: 'job_order' }])
    const { people } = (await api('GET', '/rooms/rec-order/people?order=desc')).body
    expect(people).toMatchObject([{ external_id: 'a' }])
  })

  it('FILELINK-1 are read by links with ranges until these expire or are revoked', async () => {
    const { tag } = await put('rec-1')
    await addRecording(tag, 'job_a')
    expect((await api('GET', '/recordings?room=rec-1')).body.recordings).toMatchObject([
      { id: 'job_a', room: 'rec-1', files: [{ path: 'recording.mp4', size: 10 }] },
    ])
    const create = (expires_in: number) =>
      api('POST', '/recordings/job_a/links', {
        body: { path: 'recording.mp4', expires_in, disposition: 'inline' },
      })
    const link = (await create(60)).body
    const read = (headers = {}) => opened.server.call('GET', new URL(link.url).pathname, { headers })
    expect(await read()).toMatchObject({ status: 200, body: '0123456789' })
    const part = await read({ range: 'bytes=2-4' })
    expect(part).toMatchObject({ status: 206, body: '234' })
    expect(part.headers['content-disposition']).toBe('inline; filename="recording.mp4"')
    expect(part.headers['content-security-policy']).toContain("media-src 'self'; frame-ancestors 'none'")
    expect(await opened.server.call('GET', `${new URL(link.url).pathname}x`)).toEqual(
      refused(401, 'link_invalid'),
    )
    expect(await create(604_801)).toEqual(refused(400, 'invalid_argument'))
    const enable = (enabled: boolean) =>
      opened.server.operator.serviceAccounts.set(opened.school.account.name, { enabled })
    await enable(false)
    expect(await read()).toEqual(refused(401, 'link_invalid'))
    await enable(true)
    expect((await read()).status).toBe(200)
    const revoked = (await create(60)).body
    await api('DELETE', `/recordings/job_a/links/${revoked.id}`)
    expect(await opened.server.call('GET', new URL(revoked.url).pathname)).toEqual(
      refused(401, 'link_invalid'),
    )
    await opened.calls.db
      .updateTable('partner_links')
      .set({ expires_at_ms: Date.now() - 1 })
      .execute()
    expect(await read()).toEqual(refused(401, 'link_invalid'))
  })

  it('are deleted with files, links and transcripts, which an event and the audit log tell', async () => {
    const { tag } = await put('rec-2')
    const blobId = await addRecording(tag, 'job_b')
    const link = (
      await api('POST', '/recordings/job_b/links', { body: { path: 'recording.mp4', expires_in: 60 } })
    ).body
    expect((await api('DELETE', '/recordings/job_b')).status).toBe(200)
    expect(await api('GET', '/recordings/job_b')).toEqual(refused(404, 'recording_not_found'))
    expect(await opened.server.call('GET', new URL(link.url).pathname)).toEqual(refused(401, 'link_invalid'))
    expect(await opened.archive.blobs.find(blobId)).toBeNull()
    await until(async () => {
      const { events } = (await api('GET', '/events?room=rec-2&type=recording.deleted')).body
      expect(events).toMatchObject([{ data: { recording: { id: 'job_b' } } }])
    })
    const audited = await opened.calls.db
      .selectFrom('audit_log')
      .selectAll()
      .where('target', '=', 'job_b')
      .execute()
    expect(audited).toMatchObject([{ action: 'recording.delete', outcome: 'done' }])
  })

  it('are not deleted while the audit log cannot be written', async () => {
    const { tag } = await put('rec-3')
    await addRecording(tag, 'job_c')
    await opened.calls.db.schema.alterTable('audit_log').renameTo('audit_log_away').execute()
    const answer = await api('DELETE', '/recordings/job_c')
    await opened.calls.db.schema
      .alterTable('audit_log_away' as never)
      .renameTo('audit_log')
      .execute()
    expect(answer).toEqual(refused(500, 'internal'))
    expect((await api('GET', '/recordings/job_c')).status).toBe(200)
    expect((await api('DELETE', '/recordings/job_c')).status).toBe(200)
  })

  it('KEEP-1 are kept as long as the room says, else the account, and at most as long as the server', async () => {
    const { tag } = await put('kept', { recording: { format: 'mp4' } })
    await put('own', { recording: { keep_days: 365 } })
    const kept = async (room: string) => (await api('GET', `/rooms/${room}`)).body.recordings_kept_days
    const set = (keepDays: number | null) =>
      opened.server.operator.serviceAccounts.set(opened.school.account.name, { keepDays })
    expect([await kept('kept'), await kept('own')]).toEqual([null, 365])
    const old = Date.now() - 31 * 86_400_000
    await addRecording(tag, 'job_old', { startedAtMs: old - 1_000, endedAtMs: old })
    await addRecording(tag, 'job_new', { startedAtMs: Date.now() - 1_000, endedAtMs: Date.now() })
    const own = (await api('GET', '/rooms/own')).body.tag
    await addRecording(own, 'job_own', { startedAtMs: old - 1_000, endedAtMs: old })
    await set(30)
    expect([await kept('kept'), await kept('own')]).toEqual([30, 365])
    expect((await api('GET', '/rooms')).body.rooms).toContainEqual(
      expect.objectContaining({ external_id: 'kept', recordings_kept_days: 30 }),
    )
    expect(await sweptRecordings()).toContain('job_old')
    for (const id of ['job_new', 'job_own']) expect(await sweptRecordings()).not.toContain(id)
    await set(null)
    expect(await kept('kept')).toBeNull()
    expect(await sweptRecordings()).toEqual([])
    const strict = await startTestServer({ Retention: { Recordings: '60' } })
    const academy = version2(strict, await strict.addPartner('academy'))
    const room = async (name: string, keep_days: number | null) =>
      (await academy('PUT', `/rooms/${name}`, { body: { recording: { keep_days } } })).body
        .recordings_kept_days
    expect([await room('a', 365), await room('b', 7), await room('c', null)]).toEqual([60, 7, 60])
    await strict.close()
  })

  it('that cannot be deleted keep no others', async () => {
    const old = Date.now() - 31 * 86_400_000
    for (const room of ['stuck', 'after']) {
      const { tag } = await put(room, { recording: { keep_days: 30 } })
      for (const number of [1, 2])
        await addRecording(tag, `job_${room}_${number}`, { startedAtMs: old - 1_000, endedAtMs: old })
    }
    const all = ['job_stuck_1', 'job_stuck_2', 'job_after_1', 'job_after_2']
    expect(await sweptRecordings()).toEqual(expect.arrayContaining(all))
    expect((await sweptRecordings('job_stuck_1')).sort()).toEqual(all.slice(1).sort())
  })

  it('have transcripts as JSON, WebVTT and text', async () => {
    const { tag } = await put('rec-3')
    const speaker = { client_id: 5, device_id: 1, name: 'Anna' }
    const segments = [{ seq: 1, at: 1_005_000, speaker, text: 'Good morning.', partial: false }]
    await opened.calls.db
      .insertInto('transcripts')
      .values({
        job_id: 'job_t',
        conference_tag: tag,
        conference_session_id: 1,
        status: 'completed',
        language: 'en',
        engine: 'e',
        started_at_ms: 1_000_000,
        ended_at_ms: 1_010_000,
        reason: 'stopped',
        text: 'Good morning.',
        segments: JSON.stringify(segments),
        indexed_at: 1,
        notified_at: null,
      })
      .execute()
    expect((await api('GET', '/transcripts?room=rec-3')).body.transcripts).toMatchObject([{ id: 'job_t' }])
    expect((await api('GET', '/transcripts/job_t')).body).toMatchObject({
      text: 'Good morning.',
      segments: [{ speaker: { name: 'Anna', external_id: null } }],
    })
    expect((await api('GET', '/transcripts/job_t/vtt')).body).toMatch(
      /^WEBVTT\n[\s\S]*<v Anna>Good morning\./,
    )
    expect((await api('GET', '/transcripts/job_t/txt')).body).toBe('Anna: Good morning.\n')
  })
})
