import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { step } from '../progress.mjs'
import { run, SetupError, succeeds } from '../run.mjs'

const env = { DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' }

/**
 * Ensures that Debian packages are installed.
 *
 * @param {string[]} packages
 */
export const installDebianPackages = async packages =>
  installMissing(await findMissingDebianPackages(packages))

/**
 * Which packages must be installed. Only root installs them; for other users it fails with the command to run.
 *
 * @param {string[]} packages
 */
export async function findMissingDebianPackages(packages) {
  const missing = await missingOf(packages)
  if (missing.length === 0) return []
  if (!(await hasApt())) {
    throw new SetupError(`These programs are missing (names of Debian packages): ${missing.join(' ')}`)
  }
  if (process.getuid?.() !== 0) {
    throw new SetupError(`Debian packages are missing. Run this command, then try again:
    sudo apt-get update && sudo apt-get install -y --no-install-recommends ${missing.join(' ')}`)
  }
  return missing
}

/** @param {string[]} missing */
export async function installMissing(missing) {
  if (missing.length > 0)
    await step(`Installing Debian packages (${missing.join(' ')})`, () => install(missing))
}

const hasApt = () => succeeds('apt-get', ['--version'])

/** @param {string[]} packages */
async function install(packages) {
  // A single unreachable source fails the update; the installation reports missing packages.
  await aptGet('update').catch(() => {})
  await aptGet('install', '-y', '--no-install-recommends', ...packages)
  await maskServices(packages)
}

/** Servers that tests start themselves; Debian MUST NOT run them as services, neither now nor after the next boot. */
const servers = [
  'coturn',
  'nats-server',
  'swift-proxy',
  'swift-account',
  'swift-container',
  'swift-object',
  'nginx-common',
  'caddy',
  'prometheus',
]

/** @param {string[]} packages */
async function maskServices(packages) {
  if (!existsSync('/run/systemd/system')) return
  const installed = servers.filter(server => packages.includes(server))
  if (installed.length === 0) return
  const files = (await run('dpkg-query', ['-L', ...installed], { env })).split('\n')
  const units = files.flatMap(file => /\/systemd\/system\/([^@/]+\.service)$/.exec(file)?.[1] ?? [])
  await run('systemctl', ['mask', ...units], { env })
}

/** Found by the scripts of packages before the programs that start services. */
const withoutServices = fileURLToPath(new URL('without-services', import.meta.url))
const options = [
  '-o',
  'DPkg::Lock::Timeout=300',
  '-o',
  `DPkg::Path=${withoutServices}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
]

/** Waits for other running installations. @param {...string} args */
const aptGet = (...args) => run('apt-get', [...options, ...args], { env })

/** Those that are not installed, nor a program of their name. @param {string[]} packages */
async function missingOf(packages) {
  const unknown = packages.filter(name => !isProgram(name))
  if (unknown.length === 0) return []
  // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg writes its fields like this
  const query = ['-W', '-f', '${Package} ${db:Status-Status}\\n', ...unknown]
  // Fails if it does not know one of them, after it has written the others.
  const output = await run('dpkg-query', query, { env }).catch(err => err.output ?? '')
  return unknown.filter(name => !output.split('\n').includes(`${name} installed`))
}

/** @param {string} name */
const isProgram = name =>
  (process.env.PATH ?? '').split(delimiter).some(folder => existsSync(join(folder, name)))
