import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { writeDocuments } from './documents.mjs'

/** @type {string} */
let tree
beforeAll(() => {
  tree = mkdtempSync(join(tmpdir(), 'lectern-documents-'))
  writeDocuments(tree, { version: '1', date: new Date(0), packages: [] })
})
afterAll(() => rmSync(tree, { recursive: true }))

it('the documents of the package have no dead links', () => {
  const folder = join(tree, 'usr/share/doc/lectern')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const documents = files.filter(name => name.endsWith('.md'))
  const links = documents.flatMap(name =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)].map(
      ([, path = '']) => normalize(join(dirname(name), path)).replace(/\/$/, ''),
    ),
  )
  expect(links.length).toBeGreaterThan(300)
  expect(links.filter(path => !files.includes(path))).toEqual([])
  expect(files).toContain('deploy/nginx/lectern.conf')
})
