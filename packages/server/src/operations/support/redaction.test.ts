import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../platform/config/index.ts'
import { keys } from '../../platform/config/keys.ts'
import type { Key } from '../../platform/config/values.ts'
import { redactConfig, scrubber, secretsOf } from './redaction.ts'

/** Keys whose names sound like secrets, but whose values are not secret. */
const PUBLIC = new Set([
  'Server.AcceptedJwtSecretsUntil',
  'Server.TlsKey', // the path of a file
  'Server.MetricsPublic',
  'Integration.PublicUrl',
  'Turn.Urls',
  'Storage.Url',
  'Storage.SendfileHeader',
  'Cluster.NatsCa',
  'Limits.TokenPerMinute',
  'Oidc.PasswordSignIn',
])

const load = (env: Record<string, string>) => loadConfig(undefined, env)

describe('the settings of a support bundle', () => {
  it('mark every key whose name indicates a secret', () => {
    const unmarked = Object.entries(keys as Record<string, Record<string, Key<unknown>>>).flatMap(
      ([section, sectionKeys]) =>
        Object.entries(sectionKeys)
          .filter(
            ([name, { isSecret }]) =>
              !isSecret && /secret|token|passw|key|url|nats|header|subject/i.test(name),
          )
          .map(([name]) => `${section}.${name}`),
    )
    expect(unmarked.filter(name => !PUBLIC.has(name))).toEqual([])
  })

  it('report of secrets whether they are set, and collect all of them, including those within addresses (BUNDLE-1)', () => {
    const config = load({
      SVC_SERVER_JWT_SECRET: 'x'.repeat(32),
      SVC_DB_URL: 'postgres://lectern:p%40ss-word@db.internal:5432/lectern',
      SVC_STORAGE_URL: 's3://bucket/prefix',
      SVC_STORAGE_S3_ACCESS_KEY_ID: 'AKIAEXAMPLE',
      SVC_STORAGE_S3_SECRET_ACCESS_KEY: 'the-s3-secret',
      SVC_CLUSTER_NATS: 'nats://nats-user:nats-pass@10.0.0.5 nats://nats-token@10.0.0.6',
      SVC_CLUSTER_ADVERTISE: 'http://10.0.0.1:8080',
      SVC_TRACING_ENDPOINT: 'https://otlp.example.org/v1/traces',
      SVC_TRACING_HEADERS: 'authorization=Bearer the-collector-key, x-team=blue',
    })
    const shown = redactConfig(config)
    expect(shown).toMatchObject({
      Server: { JwtSecret: '(set)', AcceptedJwtSecrets: '(not set)', MetricsToken: '(not set)', Port: 8080 },
      Db: { Url: '(set)', IntegrationDb: '(set)' },
      Storage: { Url: 's3://bucket/prefix', S3SecretAccessKey: '(set)' },
      Cluster: { Nats: '(set)', Advertise: 'http://10.0.0.1:8080' },
      Tracing: { Endpoint: '(set)', Headers: '(set)', SampleRatio: 1 },
    })
    const secrets = secretsOf(config)
    for (const secret of [
      ...['x'.repeat(32), 'p%40ss-word', 'p@ss-word', 'the-s3-secret', 'AKIAEXAMPLE'],
      ...['nats-pass', 'nats-user', 'nats-token', 'Bearer the-collector-key'],
    ]) {
      expect(secrets).toContain(secret)
      expect(JSON.stringify(shown)).not.toContain(secret)
    }
    expect(secrets).not.toContain('nats://10.0.0.5:4222')
    expect(config.Server.JwtSecret).toBe('x'.repeat(32))
  })

  it('collect secrets that begin like a path, and no paths of databases', () => {
    const secrets = secretsOf(
      load({ SVC_SERVER_JWT_SECRET: `/${'x+'.repeat(20)}=`, SVC_DB_URL: '/srv/lectern.db' }),
    )
    expect(secrets).toContain(`/${'x+'.repeat(20)}=`)
    expect(secrets).not.toContain('/srv/lectern.db')
  })
})

describe('the search of a support bundle', () => {
  const scrub = scrubber(['correct horse', 'ab', ''])

  it.each([
    ['the password is correct horse.', 'the password is ***.'],
    ['Authorization: Bearer abc.def-ghi', 'Authorization: Bearer ***'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln here', '*** here'],
    ['postgres://me:pw@db/x', 'postgres://***@db/x'],
    ['https://meet.example.org/r/x?t=1#y, or', 'https://meet.example.org/r/x?***, or'.replace(', or', ' or')],
    ['write to anna.petrova@example.org now', 'write to *** now'],
    ['room k7mq-x2wd9-rtnh', 'room ***'],
    [`token ${'aB3_'.repeat(11)}`, 'token ***'],
  ])('hides %j', (text, expected) => {
    expect(scrub(text)).toBe(expected)
  })

  it.each([
    'job_0123456789abcdef01234567',
    '6f1c1f0e-6f0b-4d3e-9a52-5a3f6a1c2b3d',
    'https://meet.example.org/readyz',
    'http_request_duration_seconds_bucket{method="GET",route="/api/v1/integration/rooms/:external_id",le="0.1"} 3',
    'cab',
  ])('keeps %j', text => {
    expect(scrub(text)).toBe(text)
  })
})
