import { describe, expect, it } from 'vitest'
import { productionPackages } from './production-packages.mjs'

/** @param {Record<string, object>} packages */
const lockOf = packages => ({
  'packages/recorder': {},
  'packages/transcriber': {},
  'packages/server': { dependencies: { fastify: '1', kysely: '1' } },
  'node_modules/@lectern/server': { link: true, resolved: 'packages/server' },
  'packages/cli': { dependencies: { '@lectern/server': '1' } },
  'node_modules/kysely': {},
  ...packages,
})
const everything = () => true

describe('the npm packages of a Debian package', () => {
  it('are those that the programs load, from the nearest node_modules', () => {
    const lock = lockOf({
      'node_modules/fastify': { dependencies: { pino: '1', semver: '2' } },
      'node_modules/fastify/node_modules/semver': { dependencies: { 'lru-cache': '1' } },
      'node_modules/lru-cache': {},
      'node_modules/semver': { dependencies: { unused: '1' } },
      'node_modules/pino': {
        peerDependencies: { fastify: '1', other: '1' },
        peerDependenciesMeta: { other: { optional: true } },
      },
      'node_modules/other': {},
      'node_modules/vitest': {},
    })
    expect(productionPackages(lock, everything)).toEqual([
      'node_modules/fastify',
      'node_modules/fastify/node_modules/semver',
      'node_modules/lru-cache',
      'node_modules/pino',
    ])
  })

  it('exclude libraries that bundles contain, unless another package needs them', () => {
    const lock = lockOf({ 'node_modules/fastify': {} })
    expect(productionPackages(lock, everything)).toEqual(['node_modules/fastify'])
    const needed = lockOf({ 'node_modules/fastify': { dependencies: { kysely: '1' } } })
    expect(productionPackages(needed, everything)).toEqual(['node_modules/fastify', 'node_modules/kysely'])
  })

  it('exclude types, the SQLite module of another Node, and optional packages for other systems', () => {
    const lock = lockOf({
      'node_modules/fastify': {
        dependencies: { '@types/node': '1', 'better-sqlite3': '1' },
        optionalDependencies: { 'fast-linux': '1', 'fast-windows': '1', 'fast-unknown': '1' },
      },
      'node_modules/fast-linux': { optional: true },
      'node_modules/fast-windows': { optional: true },
    })
    const isInstalled = (/** @type {string} */ folder) => !folder.endsWith('fast-windows')
    expect(productionPackages(lock, isInstalled)).toEqual(['node_modules/fast-linux', 'node_modules/fastify'])
  })

  it('must all be installed', () => {
    const lock = lockOf({ 'node_modules/fastify': { dependencies: { missing: '1' } } })
    expect(() => productionPackages(lock, everything)).toThrow(
      'node_modules/fastify needs the npm package missing',
    )
    const absent = lockOf({ 'node_modules/fastify': {} })
    expect(() => productionPackages(absent, folder => folder.startsWith('packages/'))).toThrow(
      'needs the npm package fastify',
    )
  })
})
