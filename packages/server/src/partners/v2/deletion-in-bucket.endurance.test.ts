import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { s3Settings } from '../../platform/config/storage.ts'
import { recordingScope } from '../../records/scope.ts'
import { Bucket } from '../../records/storage/s3/bucket.ts'
import { S3Proxy } from '../../records/storage/testing/s3-proxy.ts'
import { openTestArchive, type TestArchive } from '../../records/testing/archive.ts'
import { newBlob, streamOf } from '../../records/testing/uploads.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { sharedSwift } from '../../testing/swift.ts'
import { version2 } from './testing.ts'

let proxy: S3Proxy
let server: TestServer
let archive: TestArchive
let bucket: Bucket
beforeAll(async () => {
  const swift = await sharedSwift()
  proxy = await S3Proxy.start(swift.endpoint)
  const section = await swift.bucket(`deletion-${process.pid}`, 'files')
  server = await startTestServer({ Storage: { ...section, S3Endpoint: proxy.endpoint } })
  archive = await openTestArchive(server)
  const settings = s3Settings(section)
  if (!settings) throw new Error('not a bucket')
  bucket = new Bucket(settings)
})
afterAll(async () => {
  bucket.close()
  await archive.close()
  await server.close()
  await proxy.close()
})

it('DELETE-1 of a room leaves nothing in an object storage, and waits while it is not available', async () => {
  const api = version2(server, await server.addPartner('school'))
  const { tag } = (await api('PUT', '/rooms/lesson')).body
  const { id } = await archive.addBlob(tag, 'what was said')
  await archive.addRecording(tag, 'job_1', { blobIds: [id] })
  // A recorder was killed while it uploaded the first one, and the second one belongs to no recording.
  const unfinished = Buffer.from('what was said last')
  const about = { ownerId: 7, scope: recordingScope(tag) }
  const upload = await archive.blobs.begin(newBlob(unfinished, about))
  await archive.blobs.append(upload, 0, streamOf(unfinished))
  await archive.addBlob(tag, 'of no recording')

  const tried: string[] = []
  proxy.fault = operation => {
    tried.push(operation)
    return ['DeleteObject', 'AbortMultipartUpload'].includes(operation)
      ? { status: 403, code: 'AccessDenied' }
      : null
  }
  expect((await api('DELETE', '/rooms/lesson')).status).toBe(200)
  const types = async () =>
    (await api('GET', '/events')).body.events.map(({ type }: { type: string }) => type)
  // Each of the three files, and one of them again.
  await until(() => expect(tried.filter(each => /^(Delete|Abort)/.test(each)).length).toBeGreaterThan(3))
  expect(await types()).not.toContain('room.deleted')
  expect(await leftIn(bucket)).toHaveLength(3)

  proxy.fault = () => null
  await until(async () => expect(await types()).toEqual(['room.deleted']))
  expect(await leftIn(bucket)).toEqual([])
})

const until = (check: () => unknown) => vi.waitFor(check, { timeout: 100_000, interval: 50 })

/** The files in the bucket, and uploads that were not finished. */
async function leftIn(bucket: Bucket): Promise<string[]> {
  const left: string[] = []
  for await (const { key } of bucket.list('b_')) left.push(key)
  for await (const { key } of bucket.listUploads('b_')) left.push(key)
  return left
}
