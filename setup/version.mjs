import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './paths.mjs'
import { run } from './run.mjs'

/** The release that the sources are, or that is being worked on. */
const { version: release } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/**
 * The version of the sources: `0.2.0` at the tag `v0.2.0`, and `0.2.0+652.gdcfc4850` at the 652nd commit. Later commits have
 * greater versions for dpkg. Outside of git that of the release.
 *
 * @param {string} [folder] of the checkout
 */
export async function sourceVersion(folder = root) {
  const git = (/** @type {string[]} */ ...args) =>
    run('git', args, { cwd: folder }).then(
      output => output.trim(),
      () => '',
    )
  const [tags, count, commit] = await Promise.all([
    git('tag', '--points-at', 'HEAD'),
    git('rev-list', '--count', 'HEAD'),
    git('rev-parse', '--short=8', 'HEAD'),
  ])
  if (commit === '' || tags.split('\n').includes(`v${release}`)) return release
  return `${release}+${count}.g${commit}`
}

/** Where built programs read their version (packages/common/src/node/version.ts). @param {string[]} packages */
export async function writeVersions(packages) {
  const text = `${JSON.stringify({ version: await sourceVersion() })}\n`
  for (const name of packages) {
    const file = join(root, 'packages', name, 'dist/version.json')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}
