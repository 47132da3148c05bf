import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Config, ConfigError, loadConfig } from './index.ts'

let dir: string
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'lectern-config-'))
})
afterAll(() => rmSync(dir, { recursive: true }))

let files = 0
function load(text: string, env: Record<string, string> = {}): Config {
  const file = join(dir, `${++files}.ini`)
  writeFileSync(file, text)
  return loadConfig(file, env)
}

/** The one-line error message. */
function refusal(text: string, env: Record<string, string> = {}): string {
  try {
    load(text, env)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    expect((error as Error).message).not.toContain('\n')
    return (error as Error).message.replaceAll(`${join(dir, `${files}.ini`)}`, 'FILE')
  }
  throw new Error('the configuration was accepted')
}

describe('an identity provider', () => {
  it('requires https, or the key for development, and a client id', () => {
    const oidc = (text: string) => `[Oidc]\n${text}`
    expect(load(oidc('Issuer = https://a.example/realms/x/\nClientId = c')).Oidc).toMatchObject({
      Issuer: 'https://a.example/realms/x/',
      Scopes: ['openid', 'profile', 'email'],
      SignUp: false,
      LinkByLogin: false,
      PasswordSignIn: true,
    })
    expect(refusal(oidc('Issuer = http://a.example\nClientId = c'))).toMatch(/AllowInsecureIssuer/)
    expect(load(oidc('Issuer = http://a.example\nClientId = c\nAllowInsecureIssuer = 1')).Oidc.Issuer).toBe(
      'http://a.example',
    )
    expect(refusal(oidc('Issuer = https://a.example'))).toMatch(/ClientId/)
    expect(refusal(oidc('PasswordSignIn = 0'))).toMatch(/needs an Issuer/)
    for (const bad of ['a.example', 'ftp://a.example', 'https://u:p@a.example', 'https://a.example?x'])
      expect(refusal(oidc(`Issuer = ${bad}\nClientId = c`)), bad).toMatch(/must be an http/)
  })
})

describe('a configuration file', () => {
  it('uses defaults for missing keys', () => {
    const config = load('')
    expect(config.Server).toMatchObject({ Host: '127.0.0.1', Port: 8080, JwtSecret: '', LogLevel: 'info' })
    expect(config.Integration).toMatchObject({ Enabled: false, PublicUrl: '', AllowInsecureWebhooks: false })
    expect(config.Limits.Enabled).toBe(true)
  })

  it('is parsed with comments, quotes, spaces and a BOM', () => {
    const config = load(
      '\uFEFF; one\r\n# two\r\n [Server] \r\n  Port=1\r\nJwtSecret = " a;b#c = "\r\nMetricsToken = "x ; y"\r\n'.replace(
        'a;b#c',
        `a;b#c${'x'.repeat(32)}`,
      ),
    )
    expect(config.Server).toMatchObject({
      Port: 1,
      JwtSecret: ` a;b#c${'x'.repeat(32)} = `,
      MetricsToken: 'x ; y',
    })
  })

  it('has further secrets that are accepted until a time', () => {
    const [present, one, two] = ['a', 'b', 'c'].map(each => each.repeat(32))
    const accepted = `AcceptedJwtSecrets = ${one}  ${two}\nAcceptedJwtSecretsUntil = 2026-12-31T01:00:00+01:00`
    expect(load(`[Server]\nJwtSecret = ${present}\n${accepted}`).Server).toMatchObject({
      AcceptedJwtSecrets: [one, two],
      AcceptedJwtSecretsUntil: Date.UTC(2026, 11, 31),
    })
  })

  it('uses the default for an empty value', () => {
    expect(load('[Server]\nPort =\nHost = ""').Server).toMatchObject({ Port: 8080, Host: '127.0.0.1' })
  })

  it('has paths relative to its folder', () => {
    const config = load('[Server]\nDataDir = d\nTlsCert = c.pem\nTlsKey = /k.pem\n[Db]\nUrl = sqlite:m.db')
    expect(config.Server).toMatchObject({
      DataDir: join(dir, 'd'),
      TlsCert: join(dir, 'c.pem'),
      TlsKey: '/k.pem',
    })
    expect(config.Db).toMatchObject({
      Url: join(dir, 'm.db'),
      IntegrationDb: join(dir, 'd', 'integration.db'),
    })
    expect(config.Storage.Url).toBe(join(dir, 'd', 'blobs'))
  })

  it('has both stores in one PostgreSQL database', () => {
    const Url = 'postgres://me:secret@db.example/lectern?sslmode=require'
    expect(load(`[Db]\nUrl = ${Url}`).Db).toMatchObject({ Url, IntegrationDb: Url })
  })

  it('may have a trailing slash in PublicUrl', () => {
    expect(load('[Integration]\nPublicUrl = https://a.example/').Integration.PublicUrl).toBe(
      'https://a.example',
    )
  })

  it('has addresses of every form that browsers take', () => {
    const urls =
      'turn:a.example turns:a.example:443?transport=tcp turn:203.0.113.7:3478?transport=udp turn:[2001:db8::7]:3478 stun:stun.example:3478'
    expect(load(`[Turn]\nUrls = ${urls}`).Turn.Urls).toEqual(urls.split(' '))
    for (const address of ['203.0.113.7', '2001:db8::7', 'media-1.example.org', 'localhost'])
      expect(load(`[Media]\nAnnouncedAddress = ${address}`).Media.AnnouncedAddress).toBe(address)
    for (const from of [
      'meet@school.example',
      'Школа №1 <meet@school.example>',
      '"A, B" <meet@school.example>',
      'School meet@school.example',
    ])
      expect(load(`[Mail]\nUrl = smtp://m.example\nFrom = ${from}`).Mail.From).toBe(from)
  })

  it.each([
    ['[Server]\nPort = 1\n\n[Nope]\nA = 1', /^FILE:5: unknown section \[Nope\]; known: Server, /],
    ['[constructor]\nname = x', /^FILE:2: unknown section \[constructor\]/],
    ['[Server]\nPrt = 1', /^FILE:2: unknown key Prt; \[Server\] has Host, Port, /],
    [
      '[Server]\nPublicUrl = https://a.example',
      /^FILE:2: unknown key PublicUrl; it belongs in \[Integration\]$/,
    ],
    ['[Server]\nport = 1', /^FILE:2: unknown key port;/],
    ['[Server]\nconstructor = 1', /^FILE:2: unknown key constructor;/],
    ['[Server]\nPort = 65536', /^FILE:2: \[Server\] Port must be an integer from 0 to 65535$/],
    ['[Server]\nPort = 1e3', /^FILE:2: \[Server\] Port must be/],
    ['[Server]\nPort = -1', /^FILE:2: \[Server\] Port must be/],
    ['[Server]\nLogLevel = loud', /^FILE:2: \[Server\] LogLevel must be one of trace, /],
    ['[Server]\nTrustProxy = loopback my-proxy', /^FILE:2: \[Server\] TrustProxy must be/],
    ['[Server]\nTrustProxy = 10.0.0.0/33', /^FILE:2: \[Server\] TrustProxy must be/],
    ['[Integration]\nEnabled = yes', /^FILE:2: \[Integration\] Enabled must be 0 or 1$/],
    ['[Integration]\nPublicUrl = a.example', /^FILE:2: \[Integration\] PublicUrl must be an http/],
    [
      '[Integration]\nPublicUrl = https://a.example/meet',
      /^FILE:2: \[Integration\] PublicUrl must be an http or https address without a path, /,
    ],
    ['[Integration]\nPublicUrl = https://a.example//', /PublicUrl must be/],
    ['[Integration]\nPublicUrl = ftp://a.example', /PublicUrl must be/],
    ['[Integration]\nPublicUrl = https://a.example/?x=1', /PublicUrl must be/],
    ['[Integration]\nPublicUrl = https://:pw@a.example', /PublicUrl must be/],
    ['[Integration]\nPublicUrl = https://a;script-src.example', /PublicUrl must be/],
    ['[Server]\nDataDir = /srv ; the big disk', /^FILE:2: ";" is behind the value of DataDir: /],
    ['[Server]\nJwtSecret = secret # of ours', /^FILE:2: "#" is behind the value of JwtSecret: (?!.*secret)/],
    ['[Server]\nPort = 1\nPort = 2', /^FILE:3: \[Server\] Port is given twice$/],
    ['[Server]\nPort = 1\n[Db]\n[Server]\nPort = 1', /^FILE:5: \[Server\] Port is given twice$/],
    ['[Server]\nwhat is this', /^FILE:2: expected "\[Section\]" or "Key = value"$/],
    ['[Server', /^FILE:1: expected/],
    ['Port = 1', /^FILE:1: Port is before the first \[Section\]$/],
    [
      `[Server]\nAcceptedJwtSecrets = ${'x'.repeat(32)} short`,
      /^FILE:2: \[Server\] AcceptedJwtSecrets must be 1 to 4 secrets of 32 characters or more, separated by spaces$/,
    ],
    [`[Server]\nAcceptedJwtSecrets = ${`${'x'.repeat(32)} `.repeat(5)}`, /AcceptedJwtSecrets must be 1 to 4/],
    [
      `[Server]\nJwtSecret = ${'y'.repeat(32)}\nAcceptedJwtSecrets = ${'x'.repeat(32)}`,
      /^\[Server\] AcceptedJwtSecrets and AcceptedJwtSecretsUntil go together/,
    ],
    [
      `[Server]\nAcceptedJwtSecrets = ${'x'.repeat(32)}\nAcceptedJwtSecretsUntil = 2026-12-31T00:00Z`,
      /^\[Server\] AcceptedJwtSecrets needs a JwtSecret$/,
    ],
    ['[Server]\nAcceptedJwtSecretsUntil = 2026-12-31', /AcceptedJwtSecretsUntil must be a time such as/],
    ['[Server]\nAcceptedJwtSecretsUntil = 2026-13-31T00:00Z', /AcceptedJwtSecretsUntil must be a time/],
    ['[Server]\nTrustProxy = loopback, 10.0.0.1', /TrustProxy must be .*separated by spaces/],
    ['[Media]\nListenIp = localhost', /^FILE:2: \[Media\] ListenIp must be an IP address/],
    ['[Media]\nListenIp = 0.0.0.0:40000', /ListenIp must be/],
    [
      '[Media]\nAnnouncedAddress = 203.0.113.7:40000',
      /^FILE:2: \[Media\] AnnouncedAddress must be .*without a port$/,
    ],
    ['[Media]\nAnnouncedAddress = https://meet.example.org', /AnnouncedAddress must be/],
    ['[Media]\nAnnouncedAddress = 203.0.113.999', /AnnouncedAddress must be/],
    ['[MediaNode]\nPipeAddress = media-1', /PipeAddress must be an IP address/],
    ['[Turn]\nUrls = turn.example.org', /^FILE:2: \[Turn\] Urls must be addresses such as turn:/],
    ['[Turn]\nUrls = turn:a.example:3478, turn:b.example', /Urls must be .*separated by spaces$/],
    ['[Turn]\nUrls = turn:a.example turn://b.example', /Urls must be/],
    ['[Turn]\nUrls = turn:a.example:99999', /Urls must be/],
    ['[Turn]\nUrls = turn:a.example?transport=sctp', /Urls must be/],
    ['[Turn]\nUrls = stun:a.example?transport=udp', /Urls must be/],
    ['[Mail]\nUrl = smtp://m.example\nFrom = Example School', /^FILE:3: \[Mail\] From must be an address/],
    ['[Mail]\nUrl = smtp://m.example\nFrom = a@b c@d', /From must be/],
    ['[Mail]\nUrl = smtp://m.example', /^\[Mail\] Url needs From/],
    ['[Db]\nUrl = one.db\nIntegrationDb = ./one.db', /^\[Db\] Url and IntegrationDb are two databases/],
    ['[Server]\nTlsCert = a.pem', /^\[Server\] TlsCert and TlsKey go together/],
    [
      '[Db]\nUrl = mysql://x',
      /^FILE:2: \[Db\] Url must be the path of an SQLite file, or an address postgres:/,
    ],
    ['[Db]\nUrl = postgres://me:pass word@@:x/y', /^FILE:2: \[Db\] Url must be[^@]*@HOST:PORT\/DATABASE$/],
    ['[Db]\nUrl = postgres://h/d\nIntegrationDb = i.db', /^\[Db\] IntegrationDb is for SQLite/],
  ])('is rejected with the position of the error: %j', (text, message) => {
    expect(refusal(text)).toMatch(message)
  })

  it('is rejected without the line that may be a part of a secret', () => {
    const secret = 'dGhlIHNlY3JldCBrZXkgb2YgdGhpcyBpbnN0YWxsYXRpb24'
    for (const text of [
      `[Server]\nJwtSecret\n${secret}`,
      `[Server]\n${secret}`,
      `[Server]\n${secret}=`,
      `[Server]\n${secret} = 1`,
      `[Server]\n${secret}==\n${secret}==`,
      `${secret}=`,
    ]) {
      expect(refusal(text), text).toMatch(/^FILE:\d: /)
      expect(refusal(text), text).not.toContain(secret.slice(0, 12))
    }
  })

  it('must have a JwtSecret of at least 32 characters, which the error does not contain', () => {
    const short = 'short-secret'.padEnd(31, 'é')
    const message = 'must be 32 characters or more'
    expect(refusal(`[Server]\nJwtSecret = ${short}`)).toBe(`FILE:2: [Server] JwtSecret ${message}`)
    expect(refusal('', { SVC_SERVER_JWT_SECRET: '😀'.repeat(31) })).toBe(
      `SVC_SERVER_JWT_SECRET: [Server] JwtSecret ${message}`,
    )
    expect(load(`[Server]\nJwtSecret = ${short}x`).Server.JwtSecret).toBe(`${short}x`)
    expect(load('[Server]\nJwtSecret =').Server.JwtSecret).toBe('')
  })

  it('must exist if it is specified', () => {
    expect(() => loadConfig(join(dir, 'none.ini'), {})).toThrow(/none\.ini: there is no such file or folder$/)
  })

  it('is the one in SVC_CONFIG by default', () => {
    const [one, two] = [join(dir, 'one.ini'), join(dir, 'two.ini')]
    writeFileSync(one, '[Server]\nPort = 1')
    writeFileSync(two, '[Server]\nPort = 2')
    expect(loadConfig(undefined, { SVC_CONFIG: one }).Server.Port).toBe(1)
    expect(loadConfig(two, { SVC_CONFIG: one }).Server.Port).toBe(2)
  })
})

describe('FrameAncestors', () => {
  it.each(["'self'", "'none'", '*', 'https:', 'https://*.a.example:8443 http://[::1]:3000'])(
    'accepts %s',
    value => {
      expect(load(`[Integration]\nFrameAncestors = ${value}`).Integration.FrameAncestors).toEqual(
        value.split(' '),
      )
    },
  )

  it.each([
    'https://a.example; script-src *',
    'https://a.example;script-src',
    'https://a.example, https://b.example',
    'https://a.example/path',
    "'unsafe-inline'",
    'a.example',
    'javascript:alert(1)',
  ])('rejects %s', value => {
    expect(refusal(`[Integration]\nFrameAncestors = ${value}`)).toMatch(/^FILE:2: .* must be origins/)
  })

  it('rejects a line break in an environment variable', () => {
    const env = { SVC_INTEGRATION_FRAME_ANCESTORS: "https://a.example\r\nX-Evil: 1 'self'" }
    expect(refusal('', env)).toMatch(/^SVC_INTEGRATION_FRAME_ANCESTORS: /)
  })

  it('reads TrustProxy as none, one proxy, or a list of addresses', () => {
    const trusted = (value: string) =>
      loadConfig(undefined, { SVC_SERVER_TRUST_PROXY: value }).Server.TrustProxy
    expect(trusted('0')).toEqual([])
    expect(trusted('1')).toBe(1)
    expect(trusted('loopback 10.0.0.7')).toEqual(['loopback', '10.0.0.7'])
    for (const wrong of ['2', '10.1', '1 2']) expect(() => trusted(wrong), wrong).toThrow(/TrustProxy/)
  })
})
