import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { serve } from '../api/testing.ts'
import type { FileAccess } from './files.ts'
import { mayUploadAgain, refusalOf, upload } from './upload.ts'

let close = async () => {}
afterEach(() => close())

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A server that knows no token but `new`, and takes a piece of a file unless `piece` answers. */
async function start(begin: Answer, piece: Answer = (_, response) => response.writeHead(204).end()) {
  const requests: string[] = []
  const server = await serve((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    request.resume().on('end', () => {
      if (request.headers.authorization !== 'Bearer new') response.writeHead(401).end('{}')
      else if (request.method === 'POST') begin(request, response)
      else if (request.method === 'GET') response.end(JSON.stringify({ file_id: 'b_1', state: 'stored' }))
      else piece(request, response)
    })
  })
  close = server.close
  const access: FileAccess = {
    conference: 'k7mq',
    serverUrl: server.url,
    accessToken: async refused => (refused === 'old' ? 'new' : 'old'),
  }
  return { access, requests }
}

const accept: Answer = (_, response) =>
  response.writeHead(201, { location: '/api/storage/uploads/b_1' }).end()
const file = new File(['a text'], 'notes.txt')

describe('upload', () => {
  it('returns the file as the server has it, with a new token when one was rejected', async () => {
    const complete: Answer = (_, response) => response.writeHead(204, { 'upload-blob-id': 'b_1' }).end()
    const { access, requests } = await start(accept, complete)
    await expect(upload({ access, purpose: 'chat_file', file })).resolves.toMatchObject({ state: 'stored' })
    expect(requests.at(-1)).toBe('GET /api/v1.0/files/b_1')
  })

  it.each([
    [503, 'temporarily_unavailable', 'noConverter'],
    [413, 'payload_too_large', 'tooLarge'],
    [409, 'file_quota_exceeded', 'quota'],
    [415, 'unsupported_media_type', 'kind'],
    [422, 'file_infected', 'infected'],
    [424, 'scan_unavailable', 'notScanned'],
    [500, 'internal', 'other'],
  ])('says why a file was refused with %i %s', async (status, code, refusal) => {
    const { access } = await start((_, response) =>
      response.writeHead(status).end(JSON.stringify({ code, message: 'No.' })),
    )
    const error = await upload({ access, purpose: 'slides', file }).catch((cause: unknown) => cause)
    expect(refusalOf(error)).toBe(refusal)
  })

  it('ends when the whole file is refused, and is not repeated by itself', async () => {
    const { access, requests } = await start(accept, (_, response) =>
      response.writeHead(424).end(JSON.stringify({ code: 'scan_unavailable', message: 'No.' })),
    )
    const error = await upload({ access, purpose: 'chat_file', file }).catch((cause: unknown) => cause)
    expect([refusalOf(error), mayUploadAgain(error)]).toEqual(['notScanned', true])
    expect(requests.filter(each => each.startsWith('PATCH'))).toHaveLength(2) // the first with the old token
  })

  it('sends no empty file', async () => {
    const { access, requests } = await start(accept)
    const empty = upload({ access, purpose: 'slides', file: new File([], 'empty.pdf') })
    expect(refusalOf(await empty.catch((cause: unknown) => cause))).toBe('empty')
    expect(requests).toEqual([])
  })

  it('ends when it is cancelled', async () => {
    const cancel = new AbortController()
    const { access } = await start(accept, () => cancel.abort())
    const options = { access, purpose: 'slides', file, signal: cancel.signal } as const
    await expect(upload(options)).rejects.toMatchObject({ name: 'AbortError' })
  })
})
