import type { PartnerClient } from '@lectern/partner'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, useLectern } from './support/lectern.ts'
import { LESSON, resolveLink } from './support/links.ts'
import { waitFor } from './support/wait.ts'

const lectern = useLectern(() => ({ SVC_INTEGRATION_ALLOW_INSECURE_WEBHOOKS: '1' }))
let account: Account
let partner: PartnerClient
beforeAll(async () => {
  account = await lectern.addAccount()
  partner = lectern.client(account)
})

describe('a partner backend', () => {
  it('creates a room idempotently, reschedules it, reads its status and closes it', async () => {
    const first = await partner.createRoom('algebra/12 ü', LESSON)
    const { created, differing_fields, ...room } = first
    expect([created, differing_fields]).toEqual([true, []])
    expect(room).toMatchObject({ external_id: 'algebra/12 ü', status: 'scheduled', ...LESSON })
    expect(await partner.createRoom('algebra/12 ü', { title: 'Another' })).toEqual({
      ...room,
      created: false,
      differing_fields: ['title'],
    })
    expect(await resolveLink(room.teacher_join_url)).toMatchObject({ result: 200, role: 'teacher' })
    expect(await resolveLink(room.student_join_url)).toMatchObject({ result: 200, role: 'student' })

    const moved = await partner.updateRoom('algebra/12 ü', { ends_at: '2031-05-14T11:00:00Z' })
    expect(moved).toEqual({ ...room, ends_at: '2031-05-14T11:00:00Z' })
    expect(await partner.getRoom('algebra/12 ü')).toEqual(moved)
    expect(await partner.roomStatus('algebra/12 ü')).toEqual({
      ...moved,
      stored_status: 'scheduled',
      live: false,
    })

    expect(await partner.closeRoom('algebra/12 ü')).toEqual({ ...moved, status: 'closed' })
    expect(await resolveLink(room.student_join_url)).toMatchObject({ result: 403, code: 'room_closed' })
  })

  it('cancels a room, whose links then report the cancellation', async () => {
    const { created: _, differing_fields: __, ...room } = await partner.createRoom('geometry', LESSON)
    expect(await partner.cancelRoom('geometry')).toEqual({ ...room, status: 'cancelled' })
    expect(await partner.roomStatus('geometry')).toMatchObject({ status: 'cancelled', live: false })
    expect(await resolveLink(room.teacher_join_url)).toMatchObject({ result: 403, code: 'room_cancelled' })
  })

  it('rotates only the link of the person whose external_id changes', async () => {
    const room = await partner.createRoom('history', LESSON)
    const changed = await partner.updateRoom('history', { teacher: { external_id: 'teacher-9' } })
    expect(changed.student_join_url).toBe(room.student_join_url)
    expect(await resolveLink(room.teacher_join_url)).toMatchObject({ result: 403, code: 'link_rotated' })
    expect(await resolveLink(changed.teacher_join_url)).toMatchObject({ result: 200, role: 'teacher' })
  })

  it('configures and disables its webhook, and can never read the secret', async () => {
    expect(await partner.getWebhook()).toMatchObject({ configured: false, secret_configured: false })
    const url = 'http://127.0.0.1:9/hooks'
    const configured = {
      result: 200,
      configured: true,
      url,
      secret_configured: true,
      previous_secret_expires_at: null,
    }
    const events = ['recording.ready', 'transcription.ready']
    const set = await partner.setWebhook({ url, secret: 'a-secret-of-the-partner' })
    expect(set).toEqual({ ...configured, events, enabled: true })
    expect(await partner.setWebhook({ enabled: false })).toEqual({ ...configured, events, enabled: false })
    expect(await partner.getWebhook()).toEqual({ ...configured, events, enabled: false })
  })

  it('cannot see the rooms of another partner', async () => {
    await partner.createRoom('mine', LESSON)
    const other = lectern.client(await lectern.addAccount('academy'))
    await expect(other.getRoom('mine')).rejects.toMatchObject({ status: 404, code: 'room_not_found' })
    const theirs = await other.createRoom('mine', { title: 'Theirs' })
    expect(theirs.room_id).not.toBe((await partner.getRoom('mine')).room_id)
  })

  it('receives a clear error for a wrong secret and for an invalid field', async () => {
    const stranger = lectern.client({ ...account, clientSecret: 'not the secret' })
    await expect(stranger.getRoom('mine')).rejects.toMatchObject({
      name: 'LecternError',
      status: 401,
      code: 'invalid_credentials',
      message: expect.stringContaining('secret'),
    })
    await expect(partner.createRoom('wrong', { starts_at: 'tomorrow' })).rejects.toMatchObject({
      status: 400,
      code: 'invalid_argument',
      message: expect.stringContaining('starts_at'),
    })
  })

  it('loses access immediately when its account is disabled, and regains it when it is enabled', async () => {
    await lectern.command('service-account', 'set', account.serviceAccount, '--disable')
    await expect(partner.serverInfo()).rejects.toMatchObject({ status: 401 })
    await lectern.command('service-account', 'set', account.serviceAccount, '--enable')
    expect(await partner.serverInfo()).toMatchObject({ api: { version: 'v1' } })
  })
})

describe('the client of a partner backend', () => {
  it('renews a rejected token once and continues', async () => {
    const requests: string[] = []
    const spoilFirstToken: typeof fetch = async (input, init) => {
      const response = await fetch(input, init)
      const path = new URL(String(input)).pathname.replace('/api/v1/integration', '')
      requests.push(`${response.status} ${path}`)
      if (path !== '/auth/token' || requests.length > 1) return response
      const answer = (await response.json()) as { access_token: string }
      return Response.json({ ...answer, access_token: `${answer.access_token.slice(0, -4)}AAAA` })
    }
    const client = lectern.client(account, { fetch: spoilFirstToken })
    expect(await client.serverInfo()).toMatchObject({ result: 200 })
    await client.serverInfo()
    expect(requests).toEqual([
      '200 /auth/token',
      '401 /server_info',
      '200 /auth/token',
      '200 /server_info',
      '200 /server_info',
    ])
  })

  it('survives a crash and a restart of the server between calls', async () => {
    const titles = Array.from({ length: 40 }, (_, index) => `Lesson ${index}`)
    const stored: string[] = []
    const sequence = async () => {
      for (const title of titles) {
        await partner.createRoom('restart', LESSON)
        stored.push((await partner.updateRoom('restart', { title })).title)
      }
    }
    const done = sequence()
    await Promise.race([done, waitFor(() => stored.length >= 5, 'some calls are answered')])
    await lectern.stop('SIGKILL')
    expect(stored.length).toBeLessThan(titles.length)
    await lectern.start()
    await done
    expect(stored).toEqual(titles)
    expect(await partner.roomStatus('restart')).toMatchObject({ title: titles.at(-1), status: 'scheduled' })
  })
})
