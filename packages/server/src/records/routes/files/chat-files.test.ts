import type { CommandBody, CommandName } from '@lectern/protocol/control'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ClusterParticipant } from '../../../testing/cluster-participant.ts'
import { refused } from '../../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../../testing/server.ts'
import { appendTo, beginUpload, type FileToUpload, uploadFile } from '../../testing/participant-upload.ts'

let server: TestServer
let tag: string
const people: Record<string, { token: string; id: string; participant: ClusterParticipant }> = {}
const person = (login: string) => people[login] as (typeof people)[string]

beforeAll(async () => {
  server = await startTestServer()
  for (const login of ['teacher', 'ben', 'cleo', 'stranger']) {
    const { id, password } = await server.addUser(login)
    const { body } = await server.call('POST', '/api/v1.0/auth/login', { body: { login, password } })
    const token = body.access_token
    tag ??= (await server.call('POST', '/api/v1.0/conferences', { token, body: {} })).body.tag
    people[login] = { token, id: String(id), participant: new ClusterParticipant(server, token, tag) }
    if (login !== 'stranger') await person(login).participant.joined(1)
    else person(login).participant.client.close()
  }
})
afterAll(async () => {
  for (const { participant } of Object.values(people)) participant.client.close()
  await server.close()
})

const notes = (changes: Partial<FileToUpload> = {}): FileToUpload => ({
  ...{ conference: tag, purpose: 'chat_file', name: 'notes.txt', bytes: Buffer.from('Notes: x = 3') },
  ...changes,
})
const upload = (login: string, file = notes()) => uploadFile(server, person(login).token, file)
const inSession = <N extends CommandName>(login: string, name: N, body: CommandBody<N>) => {
  const { client, sessions } = person(login).participant
  return client.command(name, { kind: 'conference_session', id: sessions[0] as string }, body)
}
const inChat = <N extends CommandName>(login: string, id: string, name: N, body: CommandBody<N>) =>
  person(login).participant.client.command(name, { kind: 'chat', id }, body)
const download = (login: string, id: string) =>
  server.call('GET', `/api/v1.0/files/${id}/content`, { token: person(login).token })

describe('a file of a message', () => {
  it('reaches everybody in the chat of a session, and is gone when its author deletes the message', async () => {
    const file_id = await upload('ben')
    const { message_id } = await inSession('ben', 'chat.send', { file_id })
    const { messages } = await inSession('cleo', 'chat.history', {})
    const file = { file_id, name: 'notes.txt', content_type: 'text/plain', size: 12 }
    expect(messages.at(-1)).toMatchObject({ message_id, text: '', file })
    expect((await download('cleo', file_id)).body).toBe('Notes: x = 3')
    expect(await download('stranger', file_id)).toEqual(refused(404, 'blob_not_found'))
    await inSession('teacher', 'chat.delete', { message_id })
    expect(await download('cleo', file_id)).toEqual(refused(404, 'blob_not_found'))
    const after = await inSession('cleo', 'chat.history', {})
    expect(after.messages.at(-1)).toMatchObject({ message_id, text: '', deleted: true })
  })

  it('is refused before its upload while a moderator does not permit files', async () => {
    await inSession('teacher', 'participant.set_permissions', { user_id: person('cleo').id, files: false })
    expect(await beginUpload(server, person('cleo').token, notes())).toEqual(
      refused(403, 'permission_denied'),
    )
    await inSession('teacher', 'participant.set_permissions', { user_id: person('cleo').id, files: null })
    expect((await beginUpload(server, person('cleo').token, notes())).status).toBe(201)
  })

  it('is in the conversation of a conference for its members, also after the session (MSG-19)', async () => {
    const chat_id = `conference:${tag}`
    const file = notes({ chat_id, name: 'Später.txt' })
    const file_id = await upload('teacher', file)
    await inChat('teacher', chat_id, 'message.send', { text: 'Look', file_id })
    const { messages } = await inChat('ben', chat_id, 'message.list', {})
    expect(messages.at(-1)).toMatchObject({ text: 'Look', file: { file_id, name: 'Später.txt' } })
    expect((await download('ben', file_id)).status).toBe(200)
    expect(await beginUpload(server, person('stranger').token, file)).toMatchObject(
      refused(403, 'permission_denied'),
    )
  })

  it('stays when the text beside it is changed or removed (MSG-3, MSG-8)', async () => {
    const chat_id = `conference:${tag}`
    const file_id = await upload('teacher', notes({ chat_id }))
    const { message_id } = await inChat('teacher', chat_id, 'message.send', { text: 'Look', file_id })
    const edit = (id: string, text: string) =>
      inChat('teacher', chat_id, 'message.edit', { message_id: id, text })
    for (const text of ['Read', '', 'Write'])
      expect(await edit(message_id, text)).toMatchObject({ message: { text, file: { file_id } } })
    await expect(edit(message_id, ' ')).rejects.toThrow('blank')
    const { message_id: other } = await inChat('teacher', chat_id, 'message.send', { text: 'No file' })
    await expect(edit(other, '')).rejects.toThrow('blank')
  })

  it('goes to contacts in a direct conversation, and to nobody else (MSG-19)', async () => {
    const [ben, cleo] = [person('ben'), person('cleo')]
    const ids = [Number(ben.id), Number(cleo.id)].sort((a, b) => a - b)
    const chat_id = `direct:${ids[0]}-${ids[1]}`
    expect(await beginUpload(server, ben.token, notes({ chat_id }))).toMatchObject(
      refused(403, 'permission_denied'),
    )
    await inChat('ben', chat_id, 'message.send', { text: 'Hi' })
    await inChat('cleo', chat_id, 'message.send', { text: 'Hello' })
    const file_id = await upload('ben', notes({ chat_id }))
    expect((await download('cleo', file_id)).status).toBe(200)
    expect(await download('teacher', file_id)).toEqual(refused(404, 'blob_not_found'))
    const { message_id } = await inChat('ben', chat_id, 'message.send', { file_id })
    await inChat('ben', chat_id, 'message.delete', { message_id })
    expect(await download('cleo', file_id)).toEqual(refused(404, 'blob_not_found'))
  })
})

describe('an upload whose sender loses the right to it while it arrives', () => {
  const begin = async (login: string, file = notes()) => {
    const { headers } = await beginUpload(server, person(login).token, file)
    const end = () => appendTo(server, person(login).token, headers.location as string, 0, file.bytes)
    return { id: (headers.location as string).slice('/api/storage/uploads/'.length), end }
  }
  const isGone = async (id: string) =>
    (await server.query('main', sql`SELECT id FROM conference_files WHERE id = ${id}`)).length === 0

  it('is refused at its end: files are not permitted any more (rule U12)', async () => {
    const permit = (files: boolean) =>
      inSession('teacher', 'participant.set_permissions', { user_id: person('ben').id, files })
    const { id, end } = await begin('ben')
    await permit(false)
    expect(await end()).toMatchObject(refused(403, 'permission_denied'))
    expect(await isGone(id)).toBe(true)
    await permit(true)
  })

  it('is refused at its end: the sender was removed', async () => {
    const image = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\0IENDcrc_', 'latin1')
    const { id, end } = await begin('cleo', notes({ bytes: image }))
    const [joined] = person('cleo').participant.joins
    await inSession('teacher', 'participant.remove', { participant_id: joined?.participant_id ?? '' })
    expect(await end()).toMatchObject(refused(403, 'permission_denied'))
    expect(await isGone(id)).toBe(true)
  })

  it('is accepted when the sender has left meanwhile', async () => {
    const { end } = await begin('ben')
    await person('ben').participant.client.command('conference.leave', { kind: 'conference', id: tag }, {})
    expect((await end()).status).toBe(204)
  })
})
