import { describe, expect, it } from 'vitest'
import { loadConfig } from './index.ts'
import { s3Settings } from './storage.ts'

const KEYS = { SVC_STORAGE_S3_ACCESS_KEY_ID: 'an-id', SVC_STORAGE_S3_SECRET_ACCESS_KEY: 'the secret' }
const load = (env: Record<string, string>) => loadConfig(undefined, env)
const settingsOf = (env: Record<string, string>) => s3Settings(load(env).Storage)

describe('[Storage]', () => {
  it('is a folder by default', () => {
    expect(settingsOf({})).toBeNull()
    expect(settingsOf({ SVC_STORAGE_URL: 'some/folder' })).toBeNull()
  })

  it('may be a bucket, with keys from the environment', () => {
    expect(
      settingsOf({ ...KEYS, SVC_STORAGE_URL: 's3://lessons', SVC_STORAGE_S3_REGION: 'eu-west-1' }),
    ).toEqual({
      endpoint: 'https://s3.eu-west-1.amazonaws.com',
      region: 'eu-west-1',
      bucket: 'lessons',
      prefix: '',
      accessKeyId: 'an-id',
      secretAccessKey: 'the secret',
    })
    const own = { ...KEYS, SVC_STORAGE_S3_ENDPOINT: 'http://10.0.0.9:9000/' }
    for (const url of ['s3://lessons/a/b', 's3://lessons/a/b/'])
      expect(settingsOf({ ...own, SVC_STORAGE_URL: url })).toMatchObject({
        endpoint: 'http://10.0.0.9:9000',
        bucket: 'lessons',
        prefix: 'a/b/',
      })
    expect(load({ ...own, SVC_STORAGE_URL: 's3://lessons/a' }).Storage.Url).toBe('s3://lessons/a')
  })

  it.each([
    ['a folder, s3://BUCKET', { SVC_STORAGE_URL: 's3://UPPER' }],
    ['a folder, s3://BUCKET', { SVC_STORAGE_URL: 's3://x' }],
    ['a folder, s3://BUCKET', { SVC_STORAGE_URL: 's3://lessons/../others' }],
    ['a folder, s3://BUCKET', { SVC_STORAGE_URL: 's3://lessons//a' }],
    ['a folder, s3://BUCKET', { SVC_STORAGE_URL: 's3://lessons/a b' }],
    ['a folder, s3://BUCKET', { SVC_STORAGE_URL: 'https://lessons.s3.amazonaws.com' }],
    ['needs S3AccessKeyId', { SVC_STORAGE_URL: 's3://lessons', SVC_STORAGE_S3_SECRET_ACCESS_KEY: '' }],
    ['not an access key id', { SVC_STORAGE_URL: 's3://lessons', SVC_STORAGE_S3_ACCESS_KEY_ID: 'a b' }],
    ['S3Endpoint must be', { SVC_STORAGE_S3_ENDPOINT: 'https://user:pass@s3.example' }],
    ['need Url = s3://BUCKET', { SVC_STORAGE_URL: 'folder' }],
  ])('reports in one line: %s (%o)', (part, env) => {
    let message = ''
    try {
      load({ ...KEYS, ...env })
    } catch (error) {
      message = (error as Error).message
    }
    expect(message).toContain(part)
    expect(message).not.toMatch(/\n|the secret|pass/)
  })
})
