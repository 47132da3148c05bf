import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from './paths.mjs'
import { isSupported } from './pinned-node.mjs'

const read = (/** @type {string} */ path) => JSON.parse(readFileSync(join(root, path), 'utf8'))

it('Node 24 and a recent 22 run Lectern; other versions are replaced by the pinned one', () => {
  expect(['22.21.0', '22.23.3', '24.9.0', '24.21.0'].filter(version => !isSupported(version))).toEqual([])
  const others = ['18.20.8', '20.19.4', '20.20.2', '21.7.3', '22.18.0', '23.11.1', '25.0.0', '26.12.1']
  expect(others.filter(isSupported)).toEqual([])
})

it('the pinned Node is supported, and its lock file has a hash for each build', () => {
  const { optionalDependencies } = read('setup/node/package.json')
  const { packages } = read('setup/node/package-lock.json')
  for (const [name, version] of Object.entries(optionalDependencies)) {
    expect(isSupported(version)).toBe(true)
    expect(packages[`node_modules/${name}`]).toMatchObject({
      version,
      integrity: expect.stringMatching(/^sha512-/),
    })
  }
})
