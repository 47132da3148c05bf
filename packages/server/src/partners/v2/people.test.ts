import { describe, expect, it } from 'vitest'
import { enterLink, resolveLink, tokenOf } from '../../testing/partner.ts'
import { refused } from '../../testing/refused.ts'
import type { Room } from '../ports.ts'
import { peopleStore } from '../stores/v2/people.ts'
import { People } from './people/people.ts'
import { useTwoPartners } from './testing/two-partners.ts'

const { opened, api, put } = useTwoPartners()

describe('people', () => {
  it('PEOPLE-1 enter by links of their own, which neither names nor roles change', async () => {
    await put('p-1')
    const path = '/rooms/p-1/people/teacher%2F1'
    const anna = (await api('PUT', path, { body: { display_name: 'Anna', role: 'assistant' } })).body
    expect((await resolveLink(opened.server.call, anna.join_url)).body).toMatchObject({
      role: 'teacher',
      display_name: 'Anna',
      participant_auth: true,
    })
    const changed = (await api('PUT', path, { body: { role: 'student', metadata: { a: 'b' } } })).body
    expect(changed).toMatchObject({ display_name: 'Anna', join_url: anna.join_url, metadata: { a: 'b' } })
    expect((await resolveLink(opened.server.call, anna.join_url)).body.role).toBe('student')
    const account = (await enterLink(opened.server.call, anna.join_url)).body
    await put('p-2')
    const elsewhere = (await api('PUT', '/rooms/p-2/people/teacher%2F1')).body
    expect((await enterLink(opened.server.call, elsewhere.join_url)).body.user_id).toBe(account.user_id)
    const forged = `${anna.join_url.slice(0, -8)}AAAAAAAA`
    expect(await resolveLink(opened.server.call, forged)).toEqual(refused(401, 'link_invalid'))
  })

  it('PEOPLE-1 keep what concurrent requests change', async () => {
    const { tag } = await put('p-5')
    const store = peopleStore(opened.calls.db)
    const usual = { displayName: '', role: 'student', metadata: {} } as const
    const asFoundBefore = { clientId: 1, tag, externalId: 's-1', key: 'k-5', ...usual }
    for (const change of [
      { displayName: 'Ben' },
      { role: 'observer' },
      { metadata: { a: 'b' } },
      {},
    ] as const)
      await store.save(asFoundBefore, change, 1)
    expect((await api('GET', '/rooms/p-5/people/s-1')).body).toMatchObject({
      ...{ display_name: 'Ben', role: 'observer', metadata: { a: 'b' } },
    })
  })

  it('are not left behind in a room that is deleted while they are added', async () => {
    const nobody = { externalId: null }
    const room = {
      clientId: 1,
      tag: 'deleted-room',
      people: { teacher: nobody, student: nobody },
    } as unknown as Room
    const store = peopleStore(opened.calls.db)
    const people = new People({ store, findRoom: async () => null } as unknown as ConstructorParameters<
      typeof People
    >[0])
    await expect(people.put(room, 's-1', { display_name: 'Ben' })).rejects.toThrow(
      expect.objectContaining({ code: 'room_not_found' }),
    )
    expect(await store.externalIds(room.tag)).toEqual([])
  })

  it('PEOPLE-2 have their links replaced and removed', async () => {
    await put('p-3')
    const path = '/rooms/p-3/people/s-1'
    const first = (await api('PUT', path)).body.join_url
    const second = (await api('POST', `${path}/rotate`)).body.join_url
    expect(await resolveLink(opened.server.call, first)).toEqual(refused(403, 'link_rotated'))
    expect((await resolveLink(opened.server.call, second)).status).toBe(200)
    for (let i = 0; i < 2; i++) expect((await api('DELETE', path)).status).toBe(200)
    expect(await resolveLink(opened.server.call, second)).toEqual(refused(403, 'link_rotated'))
    const third = (await api('PUT', path)).body.join_url
    expect(await resolveLink(opened.server.call, second)).toEqual(refused(403, 'link_rotated'))
    expect((await resolveLink(opened.server.call, third)).status).toBe(200)
    expect(await api('POST', '/rooms/p-3/people/none/rotate')).toEqual(refused(404, 'person_not_found'))
  })

  it('PEOPLE-2 are no members of a session any more when their links are replaced or removed', async () => {
    const { tag } = await put('p-7')
    await api('PUT', '/rooms/p-7/people/s-1')
    const nobody = { externalId: null }
    const room = { clientId: 1, tag, people: { teacher: nobody, student: nobody } } as unknown as Room
    const ended: string[] = []
    const people = new People({
      store: peopleStore(opened.calls.db),
      memberships: { end: async (_: Room, externalId: string) => void ended.push(externalId) },
      requests: { forgetPerson: async () => {} },
      forgotten: { unlessElsewhere: async () => {} },
      links: { sign: () => '' },
      publicUrl: () => '',
    } as unknown as ConstructorParameters<typeof People>[0])
    await people.rotate(room, 's-1')
    await people.remove(room, 's-1')
    expect(ended).toEqual(['s-1', 's-1'])
  })

  it('PEOPLE-3 of version 1 get new links, and stay who they are when they are changed', async () => {
    const teacher = { external_id: 't-1', display_name: 'Anna' }
    const { teacher_join_url } = await opened.school.room('p-6', { teacher })
    const path = '/rooms/p-6/people/t-1'
    const rotated = (await api('POST', `${path}/rotate`)).body
    expect(rotated).toMatchObject({ ...teacher, role: 'teacher' })
    expect(await resolveLink(opened.server.call, teacher_join_url)).toEqual(refused(403, 'link_rotated'))
    expect((await resolveLink(opened.server.call, rotated.join_url)).body).toMatchObject({ role: 'teacher' })
    const changed = (await api('PUT', path, { body: { metadata: { a: 'b' } } })).body
    expect(changed).toMatchObject({ ...teacher, role: 'teacher', metadata: { a: 'b' } })
    const again = (await api('POST', `${path}/rotate`)).body
    expect(again.metadata).toEqual({ a: 'b' })
    for (const { join_url } of [rotated, changed])
      expect(await resolveLink(opened.server.call, join_url)).toEqual(refused(403, 'link_rotated'))
    expect((await resolveLink(opened.server.call, again.join_url)).body).toMatchObject({ role: 'teacher' })
  })

  it('PEOPLE-3 are listed with the teacher and the student of version 1', async () => {
    await opened.school.room('p-4', { teacher: { external_id: 't-1' }, student: { external_id: 's-1' } })
    for (const id of ['a', 'b', 's-1']) await api('PUT', `/rooms/p-4/people/${id}`)
    const first = (await api('GET', '/rooms/p-4/people?limit=2')).body
    const second = (await api('GET', `/rooms/p-4/people?limit=2&after=${first.next}`)).body
    const ids = [...first.people, ...second.people].map((each: { external_id: string }) => each.external_id)
    expect(ids).toEqual(['t-1', 'a', 'b', 's-1'])
    await api('DELETE', '/rooms/p-4/people/t-1')
    expect(await api('GET', '/rooms/p-4/people/t-1')).toEqual(refused(404, 'person_not_found'))
  })
})

it('links of version 2 are of another kind than those of version 1', async () => {
  await put('kinds')
  const { join_url } = (await api('PUT', '/rooms/kinds/people/x')).body
  expect(tokenOf(join_url)).toMatch(/^E[\w-]{58}A$/)
})
