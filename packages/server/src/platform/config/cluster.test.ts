import { describe, expect, it } from 'vitest'
import { clusterKeys } from './cluster.ts'
import { loadConfig } from './index.ts'

const COMMON = { SVC_DB_URL: 'postgres://db/lectern', SVC_STORAGE_URL: 's3://files' }
const load = (env: Record<string, string>) => loadConfig(undefined, env)
const messageOf = (env: Record<string, string>) => {
  try {
    load(env)
    return null
  } catch (error) {
    return (error as Error).message
  }
}
const NEEDED = { ...COMMON, SVC_CLUSTER_ADVERTISE: 'http://10.0.0.5:8080' }

describe('[Cluster]', () => {
  it('is off by default, with a name for the server', () => {
    const { Cluster } = load({})
    expect(Cluster).toMatchObject({ Nats: [], Advertise: '', Namespace: 'lectern', Region: '' })
    expect(Cluster.Name).toMatch(/^[\w-]{1,40}$/)
  })

  it.each([
    ['[Cluster] needs Nats', { SVC_CLUSTER_ADVERTISE: 'http://10.0.0.5' }],
    ['Advertise is missing', { ...COMMON, SVC_CLUSTER_NATS: 'nats://n' }],
    ['[Db] Url', { ...NEEDED, SVC_CLUSTER_NATS: 'nats://n', SVC_DB_URL: 'lectern.db' }],
    ['[Server] JwtSecret', { ...NEEDED, SVC_CLUSTER_NATS: 'nats://n' }],
    ['[Storage] Url', { ...NEEDED, SVC_CLUSTER_NATS: 'nats://n', SVC_STORAGE_URL: 'files' }],
  ])('reports in one line: %s', (part, env) => {
    expect(messageOf(env as Record<string, string>)).toContain(part)
    expect(messageOf(env as Record<string, string>)).not.toContain('\n')
  })
})

describe('[Cluster] Nats', () => {
  const { parse } = clusterKeys.Nats

  it('reads addresses with ports, credentials and TLS, and labels them without credentials', () => {
    expect(
      parse('nats://10.0.0.5 tls://us%40er:p%3Aass@nats.example:4443, nats://to-ken@[::1]:4333'),
    ).toEqual([
      { host: '10.0.0.5', port: 4222, tls: false, label: 'nats://10.0.0.5:4222' },
      {
        host: 'nats.example',
        port: 4443,
        tls: true,
        user: 'us@er',
        password: 'p:ass',
        label: 'tls://nats.example:4443',
      },
      { host: '::1', port: 4333, tls: false, token: 'to-ken', label: 'nats://[::1]:4333' },
    ])
  })

  it.each([
    '10.0.0.5:4222',
    'http://n',
    'nats://',
    'nats://n/path',
    'nats://n?x=1',
    'nats://:secret@n',
    'nats://a%zz:secret@n',
  ])('refuses %s without repeating it', value => {
    const message = messageOf({ SVC_CLUSTER_NATS: value })
    expect(message).toMatch(/^SVC_CLUSTER_NATS: \[Cluster\] Nats must be addresses such as/)
    expect(message).not.toMatch(/secret|path|x=1/)
  })

  it.each(['a.b', 'a b', 'x'.repeat(41), 'name>', '*'])('refuses the name %s', value => {
    expect(messageOf({ SVC_CLUSTER_NAME: value })).toContain('[Cluster] Name must be at most 40 letters')
    expect(messageOf({ SVC_CLUSTER_NAMESPACE: value })).toContain('[Cluster] Namespace must be')
  })
})
