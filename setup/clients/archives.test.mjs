import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { tgz, zip } from './archives.mjs'

/** @type {string} */
let folder
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-archives-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const entries = [
  { name: 'empty', content: Buffer.alloc(0) },
  { name: 'in/a/block', content: Buffer.alloc(512, 'x') },
  { name: 'in/ü', content: Buffer.from('Grüße, мир') },
]

/** @param {string} command @param {string[]} args */
const extract = (command, ...args) => {
  execFileSync(command, args, { cwd: folder })
  const contents = entries.map(({ name, content }) => readFileSync(join(folder, name)).equals(content))
  for (const { name } of entries) rmSync(join(folder, name))
  return contents
}

it('are extracted by tar and zipfile as they were, and have the same bytes each time', () => {
  expect(tgz(entries)).toEqual(tgz(entries))
  expect(zip(entries)).toEqual(zip(entries))
  writeFileSync(join(folder, 'a.tgz'), tgz(entries))
  writeFileSync(join(folder, 'a.zip'), zip(entries))
  const all = entries.map(() => true)
  expect(extract('tar', '-xzf', 'a.tgz')).toEqual(all)
  expect(extract('python3', '-m', 'zipfile', '-e', 'a.zip', '.')).toEqual(all)
})

it('refuse names that tar cannot have', () => {
  expect(() => tgz([{ name: 'x'.repeat(101), content: Buffer.alloc(0) }])).toThrow('too long')
})
