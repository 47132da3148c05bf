import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../paths.mjs'

const read = (/** @type {string} */ path) => readFileSync(join(root, path), 'utf8')

const documents = ['docs/configuration.md', 'docs/metrics.md', 'packages/worker-kit/README.md']
  .map(read)
  .join('\n')
const variables = /\bSVC_[A-Z0-9_]*[A-Z0-9]\b/g

it('the files for packages, containers and Kubernetes name only settings that exist', () => {
  const files = readdirSync(join(root, 'deploy'), { recursive: true, encoding: 'utf8' })
    .map(name => join('deploy', name))
    .filter(path => statSync(join(root, path)).isFile())
  const named = files.flatMap(path => (read(path).match(variables) ?? []).map(name => ({ path, name })))
  expect(named.length).toBeGreaterThan(50)
  const known = new Set([...(documents.match(variables) ?? []), 'SVC_CONFIG'])
  expect(named.filter(({ name }) => !known.has(name))).toEqual([])
})

it('settings of the package are keys that exist', () => {
  for (const file of ['lectern.ini', 'media-node.ini']) {
    let section = ''
    const unknown = []
    for (const line of read(`deploy/debian/etc/${file}`).split('\n')) {
      section = /^\[(\w+)\]$/.exec(line)?.[1] ?? section
      const key = /^(?:; )?(\w+) = /.exec(line)?.[1]
      if (key && !sectionOf(section).includes(`| \`${key}\` |`)) unknown.push(`[${section}] ${key}`)
    }
    expect(unknown).toEqual([])
  }
})

it('the compose file and the Helm chart agree with the image, and engines wait as long as systemd', () => {
  const image = read('deploy/docker/Dockerfile')
  const compose = read('deploy/docker/compose.yaml')
  const [helpers, servers, nodes, workers] = [
    '_helpers.tpl',
    'servers.yaml',
    'media-nodes.yaml',
    'workers.yaml',
  ].map(name => read(`deploy/helm/lectern/templates/${name}`))
  const found = (/** @type {string} */ text, /** @type {RegExp} */ pattern) =>
    [...text.matchAll(pattern)].map(([, value]) => value)

  const [user] = found(image, /^USER (\d+):/gm)
  expect(found(helpers, /(?:runAsUser|runAsGroup|fsGroup): (\d+)/g)).toEqual([user, user, user])
  const [volume] = found(image, /^VOLUME (\S+)$/gm)
  expect(compose).toContain(`- data:${volume}\n`)
  for (const text of [servers, nodes, workers])
    expect(found(text, /name: data, mountPath: (\S+)/g)).toContain(volume)

  const ports = found(image, /^EXPOSE (.+)$/gm)[0].split(' ')
  const media = found(compose, /- (40000-\d+):\1\/udp/g)
  expect(ports).toEqual(['8080', '8090', `${media}/udp`, `${media}/tcp`])
  const [first, last] = media[0].split('-').map(Number)
  expect(found(compose, /SVC_MEDIA_WORKERS: "(\d+)"/g)).toEqual([String(last - first + 1)])
  expect(found(servers, /containerPort: (\d+)/g)).toEqual(['8080'])

  const [seconds] = found(read('deploy/debian/systemd/lectern.service'), /^TimeoutStopSec=(\d+)$/gm)
  expect(found(compose, /stop_grace_period: (\d+)s/g)).toEqual([seconds, seconds]) // the server and the converter
  for (const text of [servers, nodes, workers])
    expect(found(text, /terminationGracePeriodSeconds: (\d+)/g)).toEqual([seconds])
  const [gateway] = found(compose, /gateway: (\S+)/g)
  expect(found(compose, /SVC_SERVER_TRUST_PROXY: (\S+)/g)).toEqual([gateway])
})

/** @param {string} name */
const sectionOf = name =>
  read('docs/configuration.md')
    .split('\n## ')
    .find(text => text.startsWith(`[${name}]`)) ?? ''
