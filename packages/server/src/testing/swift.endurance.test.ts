import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AwsClient } from 'aws4fetch'
import { afterAll, describe, expect, it } from 'vitest'
import { type BucketSettings, Swift } from './swift.ts'

const folder = mkdtempSync(join(tmpdir(), 'lectern-swift-'))
let swift: Swift
afterAll(async () => {
  await swift.stop()
  rmSync(folder, { recursive: true })
})

const clientOf = ({ S3AccessKeyId, S3SecretAccessKey }: BucketSettings) =>
  new AwsClient({
    accessKeyId: S3AccessKeyId,
    secretAccessKey: S3SecretAccessKey,
    service: 's3',
    region: 'us-east-1',
    retries: 0,
  })

describe('the S3 server of the tests', () => {
  it('keeps its objects over a restart, on the same port, and checks keys and permissions', async () => {
    swift = await Swift.start(folder)
    const settings = await swift.bucket('lessons')
    const url = `${swift.endpoint}/lessons/a`
    expect((await clientOf(settings).fetch(url, { method: 'PUT', body: '0123456789' })).status).toBe(200)
    await swift.stop()
    await expect(fetch(url)).rejects.toThrow()

    swift = await Swift.start(folder, Number(new URL(swift.endpoint).port))
    const range = await clientOf(settings).fetch(url, { headers: { range: 'bytes=2-4' } })
    expect([range.status, await range.text()]).toEqual([206, '234'])
    expect((await clientOf(swift.asStranger(settings)).fetch(url)).status).toBe(403)
    expect((await clientOf({ ...settings, S3SecretAccessKey: 'other' }).fetch(url)).status).toBe(403)
  })
})
