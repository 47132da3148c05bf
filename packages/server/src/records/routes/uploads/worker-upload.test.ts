import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createLog } from '../../../platform/log.ts'
import { startTestServer, type TestServer } from '../../../testing/server.ts'
import { openWorker, type TestWorker } from '../../testing/worker.ts'

/** The upload client of workers, imported by its path because the server MUST NOT depend on it. */
interface WorkerKit {
  uploadFiles(
    options: {
      serverUrl: string
      accessToken: (refused: boolean) => Promise<string | null>
      jobId: string
      folder: string
      signal: AbortSignal
      log: Logger
    },
    files: { file: string; path: string; contentType: string }[],
  ): Promise<{ path: string; blobId: string }[]>
}
const { uploadFiles } = (await import(
  fileURLToPath(new URL('../../../../../worker-kit/src/upload.ts', import.meta.url))
)) as WorkerKit

const MEGABYTE = 1024 * 1024

let folder: string
let server: TestServer
let worker: TestWorker
let jobId: string
let lines: string[]
beforeAll(async () => {
  server = await startTestServer()
  worker = await openWorker(server, 'recorder', 'jobs.recorder')
  jobId = await worker.lease('recording', 'aaaa-bbbbb-cccc')
})
afterAll(async () => {
  await worker.close()
  await server.close()
})
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-upload-'))
  lines = []
})
afterEach(() => rmSync(folder, { recursive: true }))

const startAgain = async () => {
  server = await startTestServer({}, server.config.Server.DataDir.replace(/\/data$/, ''))
}

const put = (name: string, bytes: Buffer | string) => {
  const file = join(folder, name)
  writeFileSync(file, bytes)
  return { file, path: name, contentType: 'application/octet-stream' }
}

const options = (more: Partial<Parameters<WorkerKit['uploadFiles']>[0]> = {}) => ({
  serverUrl: server.url,
  accessToken: async () => worker.token,
  jobId,
  folder,
  signal: new AbortController().signal,
  log: createLog('info', { write: line => void lines.push(line) }),
  ...more,
})

const read = (blobId: string) =>
  fetch(`${server.url}/api/storage/blobs/${blobId}`, { headers: { authorization: `Bearer ${worker.token}` } })

const noise = (bytes: number) => {
  const buffer = Buffer.alloc(bytes)
  for (let at = 0; at < bytes; at += 4) buffer.writeUInt32LE((at * 2_654_435_761) >>> 0, at)
  return buffer
}

/** A proxy to the server that cuts connections after a number of bytes, a given number of times. */
async function openWeakWay(bytesEach: number, breaks: number) {
  const { hostname, port } = new URL(server.url)
  let [left, connections] = [breaks, 0]
  const way = createServer((near: Socket) => {
    connections++
    let room = bytesEach
    const far = connect(Number(port), hostname)
    for (const socket of [near, far]) socket.on('error', () => {})
    near.on('data', chunk => {
      room -= chunk.length
      far.write(chunk)
      if (room > 0 || left === 0) return
      left--
      near.destroy()
      far.end()
    })
    near.on('close', () => far.end())
    far.pipe(near)
  })
  await new Promise<void>(done => way.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(way.address() as AddressInfo).port}`,
    connections: () => connections,
    close: () => way.close(),
  }
}

describe('a worker uploads', () => {
  it('files of every size, and does not resend stored ones', async () => {
    const bytes = noise(9 * MEGABYTE)
    const files = [put('recording.mkv', bytes), put('empty.jsonl', ''), put('report.json', '{}')]
    const stored = await uploadFiles(options(), files)
    expect(stored.map(({ path }) => path)).toEqual(['recording.mkv', 'empty.jsonl', 'report.json'])
    const [first, empty] = stored.map(({ blobId }) => blobId) as [string, string]
    expect(bytes.equals(Buffer.from(await (await read(first)).arrayBuffer()))).toBe(true)
    expect((await read(empty)).headers.get('content-length')).toBe('0')

    await server.stop() // no request arrives any more
    expect(await uploadFiles(options(), files)).toEqual(stored)
    await startAgain()
  })

  it('a file again after it has changed', async () => {
    const [before] = await uploadFiles(options(), [put('report.json', '{}')])
    const [after] = await uploadFiles(options(), [put('report.json', '{"more":1}')])
    expect(after?.blobId).not.toBe(before?.blobId)
    expect(await (await read(after?.blobId ?? '')).text()).toBe('{"more":1}')
  })

  it('over a connection that breaks repeatedly, without starting over', async () => {
    const way = await openWeakWay(3 * MEGABYTE, 4)
    const bytes = noise(14 * MEGABYTE)
    const [stored] = await uploadFiles(options({ serverUrl: way.url }), [put('recording.mkv', bytes)])
    way.close()
    expect(bytes.equals(Buffer.from(await (await read(stored?.blobId ?? '')).arrayBuffer()))).toBe(true)
    expect(lines.length).toBeGreaterThanOrEqual(4)
    expect(lines.join()).not.toContain(worker.token)
  })

  it('the rest of a file from another process, to a restarted server', async () => {
    const way = await openWeakWay(6 * MEGABYTE, 1)
    const file = put('recording.mkv', noise(10 * MEGABYTE))
    const killed = new AbortController()
    const log = createLog('info', { write: () => killed.abort(new Error('killed')) })
    const first = uploadFiles(options({ serverUrl: way.url, signal: killed.signal, log }), [file])
    await expect(first).rejects.toThrow('killed')
    way.close()
    const ledger = JSON.parse(readFileSync(join(folder, 'uploads.json'), 'utf8'))
    await server.stop()
    await startAgain()
    const upload = `/api/storage/uploads/${ledger['recording.mkv'].uploadId}`
    const found = await server.call('HEAD', upload, {
      token: worker.token,
      headers: { 'tus-resumable': '1.0.0' },
    })
    expect(Number(found.headers['upload-offset'])).toBeGreaterThan(3 * MEGABYTE)
    const [stored] = await uploadFiles(options(), [file])
    expect(stored?.blobId).toBe(ledger['recording.mkv'].uploadId)
  })

  it('with a new token when one is refused, and waits while there is none', async () => {
    const refusals: boolean[] = []
    const accessToken = async (refused: boolean) => {
      refusals.push(refused)
      if (refusals.length === 2) return null
      return refusals.length === 1 ? `${worker.token}x` : worker.token
    }
    await uploadFiles(options({ accessToken }), [put('report.json', '{}')])
    expect(refusals.slice(0, 3)).toEqual([false, true, false])
  })

  it('a file from the start when the server has lost it, or expects another hash', async () => {
    const file = put('report.json', '{}')
    await uploadFiles(options(), [file])
    const ledger = join(folder, 'uploads.json')
    const entries = JSON.parse(readFileSync(ledger, 'utf8'))
    const { isStored: _, ...entry } = entries['report.json']
    writeFileSync(ledger, JSON.stringify({ 'report.json': { ...entry, uploadId: `b_${'0'.repeat(32)}` } }))
    const [stored] = await uploadFiles(options(), [file])
    expect(await (await read(stored?.blobId ?? '')).text()).toBe('{}')
    writeFileSync(ledger, 'harmed')
    expect(await uploadFiles(options(), [file])).toHaveLength(1)
  })

  it('nothing where its state cannot be stored, and ends no other job by that', async () => {
    const accessToken = async () => {
      mkdirSync(join(folder, 'uploads.json.part'), { recursive: true })
      return worker.token
    }
    // An unhandled rejection would end the process, and with it all recordings.
    const unhandled: unknown[] = []
    const note = (error: unknown) => void unhandled.push(error)
    process.on('unhandledRejection', note)
    const upload = uploadFiles(options({ accessToken }), [put('recording.mkv', noise(MEGABYTE))])
    await expect(upload).rejects.toThrow('EISDIR')
    process.off('unhandledRejection', note)
    expect(unhandled).toEqual([])
  })

  it('nothing that the server refuses permanently, and reports the reason', async () => {
    const refused = uploadFiles(options({ jobId: 'job_none' }), [put('report.json', '{}')])
    await expect(refused).rejects.toMatchObject({
      name: 'UploadFailure',
      status: 403,
      message: 'This account does not hold that job.',
    })
    const path = uploadFiles(options(), [{ ...put('a', 'x'), path: '../a' }])
    await expect(path).rejects.toMatchObject({ status: 400 })
  })

  it('nothing after it is stopped', async () => {
    const stop = new AbortController()
    await server.stop()
    const stopped = uploadFiles(options({ signal: stop.signal }), [put('report.json', '{}')])
    const rejected = expect(stopped).rejects.toThrow('drain')
    await expect.poll(() => lines.join()).toContain('an upload was interrupted')
    stop.abort(new Error('drain'))
    await rejected
    await startAgain()
  })
})
