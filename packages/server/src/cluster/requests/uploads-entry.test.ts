import { describe, expect, it } from 'vitest'
import { beginUpload } from '../../records/testing/participant-upload.ts'
import type { ClusterServer } from '../../testing/cluster.ts'
import { refused } from '../../testing/refused.ts'
import type { TestServer } from '../../testing/server.ts'
import { useTwoServers } from '../testing/use-two-servers.ts'
import { waitFor } from '../testing.ts'

const bytes = Buffer.from('notes')

describe('uploads at a server that does not run the session', () => {
  const { servers, addPerson, createConference, join } = useTwoServers()

  const begin = (
    { call }: ClusterServer,
    token: string,
    conference: string,
    purpose: 'chat_file' | 'slides' = 'chat_file',
  ) =>
    beginUpload({ call } as unknown as TestServer, token, { conference, purpose, name: 'notes.txt', bytes })

  it('are permitted as at the one that runs it', async () => {
    const { a, b } = servers()
    const [anna, ben] = [await addPerson('anna'), await addPerson('ben')]
    const tag = await createConference(anna)
    const owner = join(b, anna, tag)
    await owner.joined(1)
    expect(await begin(a, ben, tag)).toMatchObject(refused(403, 'permission_denied'))
    const guest = join(a, ben, tag)
    await guest.joined(1)
    const session = String(owner.sessions[0])
    const view = () => owner.client.session(session).get()
    await waitFor(() => view()?.participants.length === 2, 'both are inside')
    for (const server of [a, b]) {
      for (const token of [anna, ben]) expect((await begin(server, token, tag)).status).toBe(201)
      // No converter is connected.
      expect(await begin(server, anna, tag, 'slides')).toMatchObject(refused(503, 'temporarily_unavailable'))
      expect(await begin(server, ben, tag, 'slides')).toMatchObject(refused(403, 'permission_denied'))
    }

    const target = { kind: 'conference_session', id: session } as const
    await owner.client.command('chat.set_mode', target, { mode: 'read_only' })
    for (const server of [a, b]) {
      expect(await begin(server, ben, tag)).toMatchObject(refused(403, 'permission_denied'))
      expect((await begin(server, anna, tag)).status).toBe(201)
    }

    const bens = view()?.participants.find(({ display_name }) => display_name.startsWith('ben'))
    await owner.client.command('participant.remove', target, { participant_id: String(bens?.participant_id) })
    await owner.client.command('chat.set_mode', target, { mode: 'open' })
    for (const server of [a, b])
      expect(await begin(server, ben, tag)).toMatchObject(refused(403, 'permission_denied'))
  })

  it('go on at the other server when the one that ran the session is gone', async () => {
    const { a, b } = servers()
    const anna = await addPerson('anna')
    const tag = await createConference(anna)
    await join(b, await addPerson('cara'), tag).joined(1)
    const teacher = join(a, anna, tag)
    await teacher.joined(1)
    expect((await begin(a, anna, tag)).status).toBe(201)
    const paths = [b.nats, b.db, b.link]
    for (const path of paths) path.cut()
    await teacher.joined(2)
    expect((await begin(a, anna, tag)).status).toBe(201)
    for (const path of paths) path.mend()
  })
})
