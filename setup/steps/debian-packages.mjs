import { existsSync } from 'node:fs'
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
  await maskServices(packages)
  await aptGet('install', '-y', '--no-install-recommends', ...packages)
}

/** Servers that stories start themselves; Debian MUST NOT run them as services. */
const servers = ['coturn']

/** @param {string[]} packages */
async function maskServices(packages) {
  if (!existsSync('/run/systemd/system')) return
  for (const name of servers.filter(server => packages.includes(server)))
    await run('systemctl', ['mask', `${name}.service`], { env })
}

/** Waits for other running installations. @param {...string} args */
const aptGet = (...args) => run('apt-get', ['-o', 'DPkg::Lock::Timeout=300', ...args], { env })

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
