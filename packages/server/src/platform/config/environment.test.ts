import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig, variableName } from './index.ts'
import { keys } from './keys.ts'

let file: string
beforeAll(() => {
  file = join(mkdtempSync(join(tmpdir(), 'lectern-environment-')), 'lectern.ini')
  writeFileSync(
    file,
    '[Server]\nPort = 1\nHost = ::1\n[Integration]\nEnabled = 0\nPublicUrl = https://file.example',
  )
})
afterAll(() => rmSync(join(file, '..'), { recursive: true }))

const load = (env: Record<string, string>) => loadConfig(file, env)

describe('the environment', () => {
  it('overrides single keys of the file', () => {
    expect(load({ SVC_SERVER_PORT: '2' }).Server).toMatchObject({ Port: 2, Host: '::1' })
  })

  it('supports short names', () => {
    const config = load({
      SVC_INTEGRATION_ENABLED: '1',
      SVC_INTEGRATION_DB: '/data/partner.db',
      SVC_SERVER_URL: 'https://meet.example',
    })
    expect(config.Integration).toMatchObject({ Enabled: true, PublicUrl: 'https://meet.example' })
    expect(config.Db.IntegrationDb).toBe('/data/partner.db')
  })

  it('prefers short names to regular ones', () => {
    const env = {
      SVC_SERVER_URL: 'https://short.example',
      SVC_INTEGRATION_PUBLIC_URL: 'https://regular.example',
      SVC_INTEGRATION_DB: '/short.db',
      SVC_DB_INTEGRATION_DB: '/regular.db',
    }
    expect(load(env).Integration.PublicUrl).toBe('https://short.example')
    expect(load(env).Db.IntegrationDb).toBe('/short.db')
  })

  it('has a variable for every key', () => {
    const names = Object.entries(keys).flatMap(([section, sectionKeys]) =>
      Object.keys(sectionKeys).map(key => variableName(section, key)),
    )
    expect(names).toEqual(expect.arrayContaining(['SVC_SERVER_JWT_SECRET', 'SVC_PUSH_TTL', 'SVC_DB_URL']))
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) expect(() => load({ [name]: '' }), name).not.toThrow()
  })

  it.each([
    ['SVC_SERVER_PRT', '1', /^SVC_SERVER_PRT: unknown; \[Server\] has Host, /],
    ['SVC_SERVER_PORT', 'x', /^SVC_SERVER_PORT: \[Server\] Port must be an integer/],
    ['SVC_SERVER_URL', 'x', /^SVC_SERVER_URL: \[Integration\] PublicUrl must be/],
    ['SVC_INTEGRATION_ENABLED', 'true', /^SVC_INTEGRATION_ENABLED: \[Integration\] Enabled must be 0 or 1$/],
    ['SVC_LIMITS_X', '1', /^SVC_LIMITS_X: unknown/],
  ])('is rejected with the name of the variable: %s=%s', (name, value, message) => {
    expect(() => load({ [name]: value })).toThrow(message)
  })

  it('may contain variables of other programs', () => {
    const env = { SVC_OTHER_PORT: '1', SVC_: 'x', SVCSERVERPORT: '3', PORT: '4', SVC_SERVERX: '5' }
    expect(load(env)).toEqual(load({}))
  })

  it('is ignored where a variable is empty', () => {
    expect(load({ SVC_SERVER_PORT: '' }).Server.Port).toBe(1)
  })
})
