import { readFileSync } from 'node:fs'
import { type ErrorCode, errorOf } from '@lectern/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enterLink, type Partner, resolveLink } from '../../testing/partner.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let school: Partner
beforeAll(async () => {
  server = await startTestServer()
  school = await server.addPartner('school')
})
afterAll(() => server.close())

const teacher = { display_name: 'Ms T', external_id: 'teacher-1' }
const room = async (id: string, person: object = teacher) =>
  (await school.room(id, { teacher: person })).teacher_join_url as string

/** Each row of the table, with a link in the state that it describes. */
const LINKS: Record<string, () => Promise<string>> = {
  'valid, names a person': () => room('works'),
  'valid, names no person': () => room('nobody', { display_name: 'Ms T' }),
  'truncated, mistyped or forged': async () => (await room('works')).slice(0, -3),
  'replaced by a newer link': async () => {
    const link = await room('rotated')
    await school.patch('rotated', { teacher: { external_id: 'teacher-2' } })
    return link
  },
  'the room is closed': async () => {
    const link = await room('closed')
    await school.call('POST', '/rooms/closed/close')
    return link
  },
  'the room is cancelled': async () => {
    const link = await room('cancelled')
    await school.call('POST', '/rooms/cancelled/cancel')
    return link
  },
  "the person's account was deleted": async () => {
    const link = await room('deleted', { external_id: 'teacher-3' })
    await server.operator.users.remove((await enterLink(server.call, link)).body.login)
    return link
  },
  "the person's account is disabled": async () => {
    const link = await room('disabled', { external_id: 'teacher-4' })
    await server.operator.users.set((await enterLink(server.call, link)).body.login, { disabled: true })
    return link
  },
}

/** Rooms are never removed, so no test reaches this state. */
const UNREACHABLE = 'the room is unknown'

const documentation = readFileSync(new URL('../../../../../docs/partner-api.md', import.meta.url), 'utf8')
const table = documentation.slice(documentation.indexOf('| state of the link |')).split('\n\n')[0] ?? ''
const rows = table
  .split('\n')
  .slice(2)
  .map(line => line.split('|').map(cell => cell.trim().replaceAll('`', '')))
  .map(([, state = '', get = '', post = '']) => ({ state, get, post }))

const shown = ({ status, body }: { status: number; body: { code?: string } }) =>
  status === 200 ? '200' : `${status} ${body.code}`

describe('a signed link', () => {
  it('is documented in every state', () => {
    expect(rows.map(({ state }) => state).filter(state => state !== UNREACHABLE)).toEqual(Object.keys(LINKS))
  })

  it.each(rows.filter(({ state }) => state !== UNREACHABLE))(
    'is answered as documented: $state',
    async ({ state, get, post }) => {
      const link = (await LINKS[state]?.()) as string
      const [resolved, entered] = [await resolveLink(server.call, link), await enterLink(server.call, link)]
      expect([shown(resolved), shown(entered)]).toEqual([get, post])
      if (resolved.status === 200) expect(resolved.body.participant_auth).toBe(entered.status === 200)
    },
  )

  it('is refused with codes of the catalogue, alike by both methods except for a link without a person', () => {
    for (const { get, post } of rows) {
      for (const [status, code] of [get, post].filter(cell => cell !== '200').map(cell => cell.split(' ')))
        expect(errorOf(code as ErrorCode).status).toBe(Number(status))
      if (post !== '400 no_participant_account') expect(get).toBe(post)
    }
  })
})
