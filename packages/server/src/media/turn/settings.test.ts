import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Keys } from '../../accounts/keys.ts'
import { loadConfig } from '../../platform/config/index.ts'
import { type CoturnSettings, coturnConfig } from './coturn-config.ts'
import { turnSecrets, turnSettings } from './settings.ts'

const SECRET = 'x'.repeat(32)
const EMBEDDED = {
  SVC_TURN_EMBEDDED: '1',
  SVC_SERVER_JWT_SECRET: SECRET,
  SVC_MEDIA_ANNOUNCED_ADDRESS: '203.0.113.7',
}
const settings = (env: Record<string, string>, secret = SECRET) =>
  turnSettings(loadConfig(undefined, env), new Keys(secret))

describe('the TURN servers of browsers', () => {
  it('are the supervised one and those of Urls, with one secret', () => {
    const { urls, secret } = settings({ ...EMBEDDED, SVC_TURN_URLS: 'turns:turn.example.org:443' })
    expect(urls).toEqual([
      'turn:203.0.113.7:3478?transport=udp',
      'turn:203.0.113.7:3478?transport=tcp',
      'turns:turn.example.org:443',
    ])
    expect(secret).toMatch(/^[0-9a-f]{64}$/)
    expect(settings({ ...EMBEDDED, SVC_TURN_SECRET: 'of other servers, too' }).secret).toBe(
      'of other servers, too',
    )
  })

  it('do not include a supervised one without a JwtSecret, from which its secret is derived', () => {
    const { SVC_SERVER_JWT_SECRET: _, ...env } = EMBEDDED
    expect(settings(env, '')).toEqual({ urls: [], secret: '' })
  })

  it('accept credentials of a former JwtSecret while it is accepted', () => {
    const config = loadConfig(undefined, EMBEDDED)
    const former = turnSecrets(config, new Keys('y'.repeat(32)))
    const keys = new Keys(SECRET, { secrets: ['y'.repeat(32)], until: Date.now() + 60_000 })
    expect(turnSecrets(config, keys)).toEqual([settings(EMBEDDED).secret, ...former])
  })
})

describe('the configuration of coturn', () => {
  const config = (changes: Partial<CoturnSettings>) =>
    coturnConfig({
      port: 3478,
      relayPorts: { min: 49_152, max: 65_535 },
      localAddress: '10.0.0.2',
      announcedAddress: '203.0.113.7',
      listensOnAll: true,
      hasMediaNodes: false,
      realm: 'meet.example.org',
      secrets: ['one', 'two'],
      folder: '/data/turn',
      ...changes,
    }).split('\n')

  it('permits the media address alone, and maps the public address to that of the machine', () => {
    const lines = config({})
    expect(lines.filter(line => /peer-ip=/.test(line))).toEqual([
      'denied-peer-ip=0.0.0.0-255.255.255.255',
      'denied-peer-ip=::-ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
      'allowed-peer-ip=10.0.0.2',
      'allowed-peer-ip=203.0.113.7',
    ])
    expect(lines).toEqual(
      expect.arrayContaining(['external-ip=203.0.113.7/10.0.0.2', 'static-auth-secret=two']),
    )
    expect(lines).not.toContain('allow-loopback-peers')
  })

  it('permits public addresses where media nodes are on other machines', () => {
    const lines = config({ hasMediaNodes: true })
    expect(lines).toContain('denied-peer-ip=169.254.0.0-169.254.255.255')
    expect(lines).not.toContain('denied-peer-ip=0.0.0.0-255.255.255.255')
  })
})

it('the TURN server of the compose file refuses the same peers as the supervised one', () => {
  const compose = readFileSync(new URL('../../../../../deploy/docker/compose.yaml', import.meta.url), 'utf8')
  const options = [...compose.matchAll(/^ +- --(.*)$/gm)].map(([, option]) => option)
  const supervised = coturnConfig({
    port: 3478,
    relayPorts: { min: 49_152, max: 65_535 },
    localAddress: '10.0.0.5',
    announcedAddress: '203.0.113.7',
    listensOnAll: true,
    hasMediaNodes: false,
    realm: 'lectern',
    secrets: ['x'],
    folder: '/tmp',
  })
  const refusals = supervised
    .split('\n')
    .filter(line => /^(denied-peer-ip=|no-.*(relay|peers|cli))/.test(line))
  expect(refusals.length).toBeGreaterThan(4)
  expect(options).toEqual(expect.arrayContaining(refusals))
})
