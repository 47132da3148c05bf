import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../paths.mjs'
import { dueGroups } from './choice.mjs'
import { groups } from './groups.mjs'

describe('the groups of the endurance suite', () => {
  it('have existing files and code, and take at most 15 minutes', () => {
    const sources = globSync('packages/*/src/**/*.ts', { cwd: root })
    const exists = (/** @type {string} */ path) =>
      existsSync(join(root, path)) || sources.some(each => each.endsWith(path))
    for (const [name, { files, code, minutes }] of Object.entries(groups)) {
      for (const path of [...files, ...code]) expect(exists(path), `${name}: ${path}`).toBe(true)
      expect(minutes, name).toBeLessThanOrEqual(15)
    }
  })

  it('contain each long test exactly once', () => {
    const tests = globSync(['e2e/endurance/**/*.spec.ts', 'packages/*/src/**/*.endurance.test.ts'], {
      cwd: root,
    })
    const places = Object.values(groups).flatMap(({ files }) => files)
    for (const test of tests) {
      const found = places.filter(place => test.startsWith(`${place}/`) || test.endsWith(place))
      expect(found, join(test)).toHaveLength(1)
    }
  })
})

describe('the groups that are due', () => {
  const group = (/** @type {string} */ name) => ({
    proves: '',
    files: [`e2e/${name}`],
    code: [`src/${name}`],
    minutes: 1,
  })
  const some = Object.fromEntries(['a', 'b', 'c', 'd'].map(name => [name, group(name)]))
  const day = (/** @type {number} */ number) => new Date(number * 86_400_000)

  it('are those whose code or tests have changed, most changed files first, and one more in turn', () => {
    const changed = ['src/c/1.ts', 'src/b/1.ts', 'e2e/b/b.spec.ts', 'src/cc/1.ts', 'README.md']
    expect(dueGroups(changed, day(0), some)).toEqual(['b', 'c', 'a'])
    expect(dueGroups(changed, day(1), some)).toEqual(['b', 'c', 'd'])
  })

  it('are one without changes, another one each day, and all when all have changed', () => {
    expect([0, 1, 2, 3, 4].map(number => dueGroups([], day(number), some))).toEqual([
      ['a'],
      ['b'],
      ['c'],
      ['d'],
      ['a'],
    ])
    const all = ['a', 'b', 'c', 'd'].map(name => `src/${name}/1.ts`)
    expect(dueGroups(all, day(0), some)).toEqual(['a', 'b', 'c', 'd'])
  })
})
