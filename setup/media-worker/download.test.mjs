import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { archiveOf, download } from './download.mjs'

const VERSION = '9.8.7'
const archive = archiveOf(VERSION)
const folder = mkdtempSync(join(tmpdir(), 'lectern-download-'))
const target = join(folder, 'made', 'mediasoup-worker')
/** @type {string[]} */
const requests = []
/** @type {Buffer} */
let content
const server = createServer((request, response) => {
  requests.push(String(request.url))
  response.end(content)
})
let releases = ''

beforeAll(async () => {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ version: VERSION }))
  mkdirSync(join(folder, 'source'))
  writeFileSync(join(folder, 'source/mediasoup-worker'), '#!/bin/sh\n')
  execFileSync('tar', ['-czf', join(folder, 'a.tgz'), '-C', join(folder, 'source'), 'mediasoup-worker'])
  content = readFileSync(join(folder, 'a.tgz'))
  await new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  releases = `http://127.0.0.1:${port}`
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})
/** @type {import('vitest').MockInstance<typeof console.log>} */
let log
beforeEach(() => {
  requests.length = 0
  rmSync(join(folder, 'made'), { recursive: true, force: true })
  log = vi.spyOn(console, 'log').mockImplementation(() => {})
  return () => log.mockRestore()
})

const printed = () => log.mock.calls.join('\n')
const hash = () => createHash('sha256').update(content).digest('hex')

it('installs a worker whose archive has the pinned hash', async () => {
  expect(await download(folder, target, { releases, pinned: { [archive]: hash() } })).toBe(true)
  expect(requests).toEqual([`/${VERSION}/${archive}`])
  expect(readFileSync(target, 'utf8')).toBe('#!/bin/sh\n')
})

it('rejects an archive with another hash, and prints both', async () => {
  const pinned = { [archive]: 'f'.repeat(64) }
  expect(await download(folder, target, { releases, pinned })).toBe(false)
  expect(existsSync(target)).toBe(false)
  expect(printed()).toContain(`its SHA-256 is ${hash()}, but ${'f'.repeat(64)} is pinned`)
})

it('does not request an archive without a pinned hash', async () => {
  expect(await download(folder, target, { releases, pinned: { 'another.tgz': hash() } })).toBe(false)
  expect([requests, existsSync(target)]).toEqual([[], false])
  expect(printed()).toContain(`Not downloading ${archive}: no SHA-256 is pinned`)
})

it('prints why the archive cannot be downloaded', async () => {
  const unreachable = 'http://127.0.0.1:9'
  expect(await download(folder, target, { releases: unreachable, pinned: { [archive]: hash() } })).toBe(false)
  expect(printed()).toContain(`Not using ${archive}: `)
})
