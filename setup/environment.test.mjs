import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { withThisNode } from './environment.mjs'

const folder = mkdtempSync(join(tmpdir(), 'lectern-environment-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('puts the running Node before other versions in PATH', () => {
  const other = join(folder, 'other')
  mkdirSync(other)
  writeFileSync(join(other, 'node'), '')
  const { PATH, HOME } = withThisNode({ PATH: other, HOME: '/home/anna' })
  expect(PATH?.split(delimiter)).toEqual([dirname(process.execPath), other])
  expect(HOME).toBe('/home/anna')
})

it('leaves PATH unchanged if it already resolves to the running Node, even through a symbolic link', () => {
  const linked = join(folder, 'linked')
  mkdirSync(linked)
  symlinkSync(process.execPath, join(linked, 'node'))
  const env = { PATH: [join(folder, 'empty'), linked].join(delimiter) }
  expect(withThisNode(env)).toBe(env)
})
