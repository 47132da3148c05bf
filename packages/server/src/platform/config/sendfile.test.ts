import { describe, expect, it } from 'vitest'
import { loadConfig } from './index.ts'
import { sendfileSettings } from './sendfile.ts'

const ACCEL = { SVC_STORAGE_SENDFILE_HEADER: 'X-Accel-Redirect', SVC_SERVER_TRUST_PROXY: 'loopback' }
const settingsOf = (env: Record<string, string>) => sendfileSettings(loadConfig(undefined, env))

describe('[Storage] SendfileHeader', () => {
  it('is off by default', () => {
    expect(settingsOf({})).toBeNull()
  })

  it('names an internal location of nginx, or a folder', () => {
    expect(settingsOf(ACCEL)).toEqual({ header: 'X-Accel-Redirect', prefix: '/lectern-files/' })
    const own = { ...ACCEL, SVC_STORAGE_SENDFILE_PREFIX: '/some/files/', SVC_SERVER_TRUST_PROXY: '1' }
    expect(settingsOf(own)?.prefix).toBe('/some/files/')
    const sendfile = {
      ...ACCEL,
      SVC_STORAGE_SENDFILE_HEADER: 'X-Sendfile',
      SVC_STORAGE_URL: '/srv/lectern-files',
    }
    expect(settingsOf(sendfile)).toEqual({ header: 'X-Sendfile', prefix: '/srv/lectern-files/' })
  })

  it.each([
    ['needs [Server] TrustProxy', { SVC_SERVER_TRUST_PROXY: '' }],
    ['must be one of none', { SVC_STORAGE_SENDFILE_HEADER: 'Location' }],
    ['begin and end with a slash', { SVC_STORAGE_SENDFILE_PREFIX: '/files' }],
    ['begin and end with a slash', { SVC_STORAGE_SENDFILE_PREFIX: '/a/../b/' }],
    ['SendfilePrefix needs', { SVC_STORAGE_SENDFILE_HEADER: '', SVC_STORAGE_SENDFILE_PREFIX: '/files/' }],
    [
      'needs a folder as Url',
      {
        SVC_STORAGE_URL: 's3://lessons',
        SVC_STORAGE_S3_ACCESS_KEY_ID: 'an-id',
        SVC_STORAGE_S3_SECRET_ACCESS_KEY: 'the secret',
      },
    ],
  ])('reports in one line: %s (%o)', (part, env) => {
    expect(() => settingsOf({ ...ACCEL, ...env })).toThrow(part)
  })
})
