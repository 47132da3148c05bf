import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { root } from '../paths.mjs'
import { pinnedNode } from '../pinned-node.mjs'
import { step } from '../progress.mjs'
import { run, SetupError } from '../run.mjs'
import { installDebianPackages } from '../steps/debian-packages.mjs'
import { sourceVersion } from '../version.mjs'
import { writeControlFiles } from './control-files.mjs'
import { writeDocuments } from './documents.mjs'
import { copyPrograms } from './program-files.mjs'
import { copySystemFiles, PROGRAMS, setModes } from './system-files.mjs'

/** dpkg-deb, dpkg-shlibdeps and what the latter needs. */
const tools = ['dpkg-dev', 'binutils']

/**
 * Builds a Debian package of the built checkout, for the release and the architecture of this machine.
 *
 * @param {{ out: string, revision: string, compression: string }} options the folder of the package, the part of its
 *   version after that of Lectern, and a compression of dpkg-deb
 * @returns {Promise<string>} the package
 */
export async function buildDebianPackage({ out, revision, compression }) {
  if (!/^[\w.+~]+$/.test(revision)) throw new SetupError('--revision has letters, digits and ".", "+", "~".')
  await installDebianPackages(tools)
  const sources = await sourceVersion()
  const version = `${sources}-${revision}`
  const architecture = (await run('dpkg', ['--print-architecture'])).trim()
  const file = join(resolve(out), `lectern_${version}_${architecture}.deb`)
  const node = await pinnedNode()
  const epoch = await sourceDate()
  const tree = mkdtempSync(join(tmpdir(), 'lectern-package-'))
  try {
    return await step('Building the Debian package', async () => {
      const packages = copyPrograms(join(tree, PROGRAMS), sources)
      copySystemFiles(tree, node)
      writeDocuments(tree, { version, date: new Date(epoch * 1000), packages })
      setModes(tree)
      await writeControlFiles(tree, { version, architecture })
      mkdirSync(resolve(out), { recursive: true })
      await run('dpkg-deb', ['--build', '--root-owner-group', `-Z${compression}`, tree, file], {
        env: { SOURCE_DATE_EPOCH: String(epoch) },
      })
      return file
    })
  } finally {
    rmSync(tree, { recursive: true, force: true })
  }
}

/** Seconds: the time of the last commit, so that the same sources give the same package; now, outside of git. */
async function sourceDate() {
  if (process.env.SOURCE_DATE_EPOCH) return Number(process.env.SOURCE_DATE_EPOCH)
  const seconds = await run('git', ['log', '-1', '--format=%ct'], { cwd: root }).catch(() => '')
  return Number(seconds.trim()) || Math.floor(Date.now() / 1000)
}
