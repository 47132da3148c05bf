import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { step } from '../progress.mjs'
import { run, SetupError, succeeds } from '../run.mjs'

const env = { DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' }

/**
 * Ensures that Debian packages are installed. Only root installs them; for other users it fails with the command to run.
 *
 * @param {string[]} packages
 * @returns {Promise<boolean>} whether something was installed
 */
export async function installDebianPackages(packages) {
  const missing = await missingOf(packages)
  if (missing.length === 0) return false
  if (!(await hasApt())) {
    throw new SetupError(`These programs are missing (names of Debian packages): ${missing.join(' ')}`)
  }
  if (process.getuid?.() !== 0) {
    throw new SetupError(`Debian packages are missing. Run this command, then try again:
    sudo apt-get update && sudo apt-get install -y --no-install-recommends ${missing.join(' ')}`)
  }
  await step('Installing Debian packages', () => install(missing), { about: missing.join(' ') })
  return true
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

/** @param {string[]} packages */
async function missingOf(packages) {
  const found = await Promise.all(packages.map(isInstalled))
  return packages.filter((_, i) => !found[i])
}

/**
 * Whether a package, or a program of that name, is installed.
 *
 * @param {string} name
 */
async function isInstalled(name) {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg writes its fields like this
  const query = run('dpkg-query', ['-W', '-f', '${db:Status-Status}', name], { env })
  const isPackage = await query.then(
    status => status === 'installed',
    () => false,
  )
  return isPackage || succeeds('sh', ['-c', `command -v "$1"`, 'sh', name])
}
