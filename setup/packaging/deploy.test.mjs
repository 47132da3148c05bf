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

/** @param {string} name */
const sectionOf = name =>
  read('docs/configuration.md')
    .split('\n## ')
    .find(text => text.startsWith(`[${name}]`)) ?? ''
