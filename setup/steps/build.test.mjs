import { expect, it } from 'vitest'
import { inPackages } from './build.mjs'

it('a program is built again when a package that it depends on has changed, also through another one', () => {
  // The recorder draws boards; its connection is that of all workers.
  const folders = inPackages('recorder', 'common')
  expect(folders).toContain('packages/board')
  expect(folders).toContain('packages/control-client')
  expect(folders).toHaveLength(new Set(folders).size)
})
