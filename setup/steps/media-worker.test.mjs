import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { buildRecipe } from '../media-worker/recipe.mjs'
import { prepareMediaWorker } from './media-worker.mjs'

let folder = ''
let target = ''
/** @type {string[]} recipes of the built workers */
let made = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-worker-'))
  target = join(folder, 'installed', 'mediasoup-worker')
  made = []
})
afterEach(() => rmSync(folder, { recursive: true }))

/** A program that exits like a worker. @param {string} name */
function makeWorker(name) {
  const file = join(folder, name)
  writeFileSync(file, `#!/bin/sh\n# ${name}\nexit 41\n`, { mode: 0o755 })
  return file
}

/** @param {string} recipe @param {string} [named] empty: none */
const prepare = (recipe, named = '') =>
  prepareMediaWorker({
    named,
    target,
    recipe,
    getWorker: async recipe => {
      made.push(recipe)
      return makeWorker(recipe)
    },
  })
const installed = () => readFileSync(target, 'utf8').match(/# (.*)/)?.[1]

it('keeps the installed worker while the recipe is unchanged', async () => {
  await prepare('first')
  await prepare('first')
  expect([installed(), made]).toEqual(['first', ['first']])
})

it('replaces a worker that was built by another recipe', async () => {
  await prepare('first')
  await prepare('second')
  expect([installed(), made]).toEqual(['second', ['first', 'second']])
})

it('replaces a worker of unknown origin, and one that does not run', async () => {
  await prepare('first')
  rmSync(`${target}.origin`)
  await prepare('first')
  writeFileSync(target, '#!/bin/sh\nexit 1\n')
  await prepare('first')
  expect([installed(), made]).toEqual(['first', ['first', 'first', 'first']])
})

it('keeps a worker from MEDIASOUP_WORKER_BIN even if the recipe changes', async () => {
  const own = makeWorker('own')
  await prepare('first', own)
  await prepare('first')
  await prepare('second')
  await prepare('second', own)
  expect([installed(), made]).toEqual(['own', []])
})

it('rejects a worker in MEDIASOUP_WORKER_BIN that does not run', async () => {
  await expect(prepare('first', join(folder, 'nothing'))).rejects.toThrow('does not run here')
})

it('the recipe depends on the script and the patches, but not on the folder', () => {
  const copy = join(folder, 'copy')
  cpSync(join(import.meta.dirname, '../media-worker'), copy, { recursive: true })
  const recipe = buildRecipe(copy)
  expect(recipe).toBe(buildRecipe())
  const files = ['build.mjs', 'aes-gcm.patch', 'tcp-connections.patch', 'include/srtp.h']
  const recipes = files.map(name => {
    writeFileSync(join(copy, name), 'changed', { flag: 'a' })
    return buildRecipe(copy)
  })
  expect(new Set([recipe, ...recipes]).size).toBe(1 + files.length)
})
