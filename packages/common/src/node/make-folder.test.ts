import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { makeFolder } from './make-folder.ts'

const folder = mkdtempSync(join(tmpdir(), 'lectern-folder-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('creates a folder with its parents for the user only, also if it is there already', () => {
  for (const path of [join(folder, 'a/b'), join(folder, 'a/b')]) makeFolder(path)
  expect([join(folder, 'a'), join(folder, 'a/b')].map(path => statSync(path).mode & 0o777)).toEqual([
    0o700, 0o700,
  ])
})

it('says why there can be none, instead of trying for ever', () => {
  writeFileSync(join(folder, 'file'), '')
  symlinkSync(join(folder, 'nowhere'), join(folder, 'link'))
  expect(() => makeFolder('/proc/x/y')).toThrow('ENOENT')
  expect(() => makeFolder(join(folder, 'file'))).toThrow('EEXIST')
  expect(() => makeFolder(join(folder, 'file/x'))).toThrow('EEXIST')
  expect(() => makeFolder(join(folder, 'link'))).toThrow('EEXIST')
})
