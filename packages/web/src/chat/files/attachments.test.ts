import { afterEach, expect, it } from 'vitest'
import { serve } from '../../api/testing.ts'
import { Attachments } from './attachments.ts'

let close = async () => {}
afterEach(() => close())

it('removes a file from the server that is not sent after all', async () => {
  const removed: string[] = []
  const server = await serve((request, response) => {
    request.resume().on('end', () => {
      if (request.method === 'POST') response.writeHead(201, { location: '/api/storage/uploads/b_1' }).end()
      else if (request.method === 'PATCH') response.writeHead(204, { 'upload-blob-id': 'b_1' }).end()
      else if (request.method === 'GET') response.end(JSON.stringify({ file_id: 'b_1', name: 'notes.txt' }))
      else {
        removed.push(`${request.method} ${request.url}`)
        response.end('{}')
      }
    })
  })
  close = server.close
  const access = { conference: 'k7mq', serverUrl: server.url, accessToken: async () => 'token' }
  const attachments = new Attachments(access)
  attachments.add([new File(['x = 3'], 'notes.txt')])
  await expect.poll(() => attachments.get()[0]?.state.is).toBe('ready')
  attachments.remove(attachments.get()[0]?.key ?? '')
  await expect.poll(() => removed).toEqual(['DELETE /api/v1.0/files/b_1'])
  expect(attachments.get()).toEqual([])
})

it('uploads a file again that could not be checked for viruses', async () => {
  let isScanned = false
  const server = await serve((request, response) => {
    request.resume().on('end', () => {
      const refusal = JSON.stringify({ code: 'scan_unavailable', message: 'No.' })
      if (request.method === 'GET') response.end(JSON.stringify({ file_id: 'b_1', name: 'notes.txt' }))
      else if (request.method === 'POST')
        response.writeHead(201, { location: '/api/storage/uploads/b_1' }).end()
      else if (isScanned) response.writeHead(204, { 'upload-blob-id': 'b_1' }).end()
      else response.writeHead(424).end(refusal)
    })
  })
  close = server.close
  const access = { conference: 'k7mq', serverUrl: server.url, accessToken: async () => 'token' }
  const attachments = new Attachments(access)
  attachments.add([new File(['x = 3'], 'notes.txt')])
  const state = () => attachments.get()[0]?.state
  await expect.poll(() => state()?.is).toBe('failed')
  isScanned = true
  const failed = state()
  if (failed?.is === 'failed') failed.again?.()
  await expect.poll(() => state()?.is).toBe('ready')
})
