import { afterAll, describe, expect, it } from 'vitest'
import { s3Settings } from '../../../platform/config/storage.ts'
import { Buckets } from '../testing/buckets.ts'
import { faultOfBucket } from './check.ts'

const buckets = new Buckets()
afterAll(buckets.close)

describe('the check of a bucket', () => {
  it('reports no problem for a usable one, and leaves nothing in it', async () => {
    const { section, bucket } = await buckets.open()
    const settings = s3Settings(section)
    expect(settings && (await faultOfBucket(settings))).toBeNull()
    for await (const each of bucket.list('')) expect(each).toBeNull()
    for await (const each of bucket.listUploads('')) expect(each).toBeNull()
  })

  it('describes a problem briefly', async () => {
    const { section, swift } = await buckets.open()
    const faultWith = (changes: Partial<typeof section>) => {
      const settings = s3Settings({ ...section, ...changes })
      return settings && faultOfBucket(settings)
    }
    expect(await faultWith({ S3SecretAccessKey: 'x' })).toBe(
      'the secret access key is wrong (S3 answered 403 to PutObject (SignatureDoesNotMatch))',
    )
    expect(await faultWith({ S3AccessKeyId: 'lectern:nobody' })).toContain('S3 answered 403 to PutObject')
    expect(await faultWith(swift.asStranger(section))).toContain(
      'S3 answered 403 to PutObject (AccessDenied)',
    )
    expect(await faultWith({ Url: 's3://no-such-bucket' })).toContain('the bucket does not exist')
    expect(await faultWith({ S3Region: 'elsewhere' })).toContain('the region is wrong')
    expect(await faultWith({ S3Endpoint: 'http://127.0.0.1:1' })).toContain(
      'did not answer PutObject (ECONNREFUSED)',
    )
  })
})
