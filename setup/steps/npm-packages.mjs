import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashOf } from '../hash.mjs'
import { installLocked } from '../locked-packages.mjs'
import { root } from '../paths.mjs'
import { step } from '../progress.mjs'
import { npm, run, SetupError } from '../run.mjs'

const lockFile = join(root, 'package-lock.json')
const stampFile = join(root, 'node_modules', '.lectern-setup.json')

/** The workspaces of what `npm start` builds and runs. Those that they depend on are installed, too. */
const started = ['cli', 'converter', 'recorder', 'transcriber', 'web', 'embed', 'partner']

/**
 * Installs npm packages of package-lock.json, unless they are up to date: those that starting needs, or all. Once all are
 * installed, they stay.
 *
 * @param {{ all?: boolean }} [wanted]
 */
export async function installNpmPackages({ all = false } = {}) {
  const lock = hashOf([lockFile])
  const platform = `${process.platform}-${process.arch}`
  const last = readStamp()
  const withAll = all || last.all === true
  if (last.lock === lock && last.platform === platform && last.all === withAll) return

  const workspaces = withAll ? [] : started.map(name => `--workspace=packages/${name}`)
  await step('Installing npm packages', () => installLocked(root, ['--include=dev', ...workspaces]))
  writeFileSync(stampFile, JSON.stringify({ lock, platform, all: withAll }))
}

/** @returns {{ lock?: string, platform?: string, all?: boolean }} */
function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'))
  } catch {
    return {}
  }
}

/**
 * Unpacks the locked version of a package, and nothing that it depends on.
 *
 * @param {string} name
 * @param {string} folder will be made
 * @returns {Promise<string>} the folder of the package
 */
export async function downloadNpmPackage(name, folder) {
  const { version, integrity } = JSON.parse(readFileSync(lockFile, 'utf8')).packages[`node_modules/${name}`]
  mkdirSync(folder, { recursive: true })
  const args = ['pack', `${name}@${version}`, '--json', '--ignore-scripts', '--pack-destination', folder]
  const output = await step(`Downloading ${name}`, () => npm(args, { cwd: folder }))
  const [packed] = JSON.parse(output.slice(output.indexOf('[')))
  if (packed.integrity !== integrity)
    throw new SetupError(`${name}@${version} differs from package-lock.json.`)
  await run('tar', ['-xzf', packed.filename], { cwd: folder })
  return join(folder, 'package')
}
