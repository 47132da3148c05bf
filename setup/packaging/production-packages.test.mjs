import { describe, expect, it } from 'vitest'
import { productionPackages } from './production-packages.mjs'

/** @param {Record<string, object>} packages */
const lockOf = packages => ({
  'packages/converter': {},
  'packages/recorder': {},
  'packages/transcriber': {},
  'packages/web': { dependencies: { react: '1' }, devDependencies: { vite: '1' } },
  'packages/server': { dependencies: { koffi: '1', kysely: '1' } },
  'node_modules/@lectern/server': { link: true, resolved: 'packages/server' },
  'packages/cli': { dependencies: { '@lectern/server': '1' } },
  'node_modules/kysely': {},
  'node_modules/react': {},
  'node_modules/vite': {},
  ...packages,
})
/** @param {string} _folder */
const everything = _folder => true

/** @param {Record<string, object>} lock */
const loaded = (lock, isInstalled = everything) =>
  productionPackages(lock, isInstalled).flatMap(({ path, isLoaded }) => (isLoaded ? [path] : []))
/** @param {Record<string, object>} lock */
const bundled = lock =>
  productionPackages(lock, everything).flatMap(({ path, isLoaded }) => (isLoaded ? [] : [path]))

describe('the npm packages of a Debian package', () => {
  it('are those that the programs load, from the nearest node_modules', () => {
    const lock = lockOf({
      'node_modules/koffi': { dependencies: { pino: '1', semver: '2' } },
      'node_modules/koffi/node_modules/semver': { dependencies: { 'lru-cache': '1' } },
      'node_modules/lru-cache': {},
      'node_modules/semver': { dependencies: { unused: '1' } },
      'node_modules/pino': {
        peerDependencies: { koffi: '1', other: '1' },
        peerDependenciesMeta: { other: { optional: true } },
      },
      'node_modules/other': {},
      'node_modules/vitest': {},
    })
    expect(loaded(lock)).toEqual([
      'node_modules/koffi',
      'node_modules/koffi/node_modules/semver',
      'node_modules/lru-cache',
      'node_modules/pino',
    ])
  })

  it('include those that bundles contain for their licences only, unless another package loads them', () => {
    const lock = lockOf({
      'node_modules/koffi': {},
      'node_modules/kysely': { dependencies: { semver: '1' } },
      'node_modules/semver': { dependencies: { kysely: '1' } },
    })
    expect(bundled(lock)).toEqual(['node_modules/kysely', 'node_modules/react', 'node_modules/semver'])
    expect(loaded(lock)).toEqual(['node_modules/koffi'])
    const needed = lockOf({ 'node_modules/koffi': { dependencies: { kysely: '1' } } })
    expect(bundled(needed)).toEqual(['node_modules/react'])
    expect(loaded(needed)).toEqual(['node_modules/koffi', 'node_modules/kysely'])
  })

  it('exclude types and optional packages for other systems', () => {
    const lock = lockOf({
      'node_modules/koffi': {
        dependencies: { '@types/node': '1' },
        optionalDependencies: { 'fast-linux': '1', 'fast-windows': '1', 'fast-unknown': '1' },
      },
      'node_modules/fast-linux': { optional: true },
      'node_modules/fast-windows': { optional: true },
    })
    const isInstalled = (/** @type {string} */ folder) => !folder.endsWith('fast-windows')
    expect(loaded(lock, isInstalled)).toEqual(['node_modules/fast-linux', 'node_modules/koffi'])
  })

  it('must all be installed', () => {
    const lock = lockOf({ 'node_modules/koffi': { dependencies: { missing: '1' } } })
    expect(() => productionPackages(lock, everything)).toThrow(
      'node_modules/koffi needs the npm package missing',
    )
    const absent = lockOf({ 'node_modules/koffi': {} })
    expect(() => productionPackages(absent, folder => folder.startsWith('packages/'))).toThrow(
      'needs the npm package koffi',
    )
  })
})
