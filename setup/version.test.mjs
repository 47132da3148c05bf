import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sourceVersion } from './version.mjs'

/** @type {string} */
let folder
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-version-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const git = (/** @type {string[]} */ ...args) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir() },
  }).trim()

it('the version of the sources grows with each commit, and is that of the release at its tag', async () => {
  const release = await sourceVersion(folder)
  expect(release).toMatch(/^\d+\.\d+\.\d+$/)
  git('init', '-q')
  const versions = []
  for (const message of ['one', 'two']) {
    git('commit', '-q', '--allow-empty', '-m', message)
    versions.push(await sourceVersion(folder))
  }
  expect(versions[0]).toMatch(/\+1\.g[0-9a-f]{8}$/)
  expect(versions[1]).toBe(`${release}+2.g${git('rev-parse', '--short=8', 'HEAD')}`)
  git('tag', `v${release}`)
  expect(await sourceVersion(folder)).toBe(release)
})
