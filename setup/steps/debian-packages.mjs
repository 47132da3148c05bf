import { existsSync } from 'node:fs'
import { step } from '../progress.mjs'
import { run, SetupError, succeeds } from '../run.mjs'

const env = { DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' }

/**
 * Makes sure that these Debian packages are there. Only root installs; everybody else is told what to run.
 *
 * @param {string[]} packages
 * @returns {Promise<boolean>} whether something was installed
 */
export async function installDebianPackages(packages) {
  const missing = await missingOf(packages)
  if (missing.length === 0) return false
  if (!(await hasApt())) {
    throw new SetupError(`These are missing (named as Debian's packages): ${missing.join(' ')}`)
  }
  if (process.getuid?.() !== 0) {
    throw new SetupError(`Debian packages are missing. Run this, then try again:
    sudo apt-get update && sudo apt-get install -y --no-install-recommends ${missing.join(' ')}`)
  }
  await step('Installing Debian packages', () => install(missing), { about: missing.join(' ') })
  return true
}

const hasApt = () => succeeds('apt-get', ['--version'])

/** @param {string[]} packages */
async function install(packages) {
  // One unreachable source of many fails an update; whether the packages can be had is told by the installation.
  await aptGet('update').catch(() => {})
  await keepFromStarting(packages)
  await aptGet('install', '-y', '--no-install-recommends', ...packages)
}

/** Servers that stories start themselves; Debian would run them from now on, for everybody. */
const servers = ['coturn']

/** @param {string[]} packages */
async function keepFromStarting(packages) {
  if (!existsSync('/run/systemd/system')) return
  for (const name of servers.filter(server => packages.includes(server)))
    await run('systemctl', ['mask', `${name}.service`], { env })
}

/** Waits where another installation is under way. @param {...string} args */
const aptGet = (...args) => run('apt-get', ['-o', 'DPkg::Lock::Timeout=300', ...args], { env })

/** @param {string[]} packages */
async function missingOf(packages) {
  const found = await Promise.all(packages.map(isThere))
  return packages.filter((_, i) => !found[i])
}

/**
 * A package, or on any system the program of that name.
 *
 * @param {string} name
 */
async function isThere(name) {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg writes its fields like this
  const query = run('dpkg-query', ['-W', '-f', '${db:Status-Status}', name], { env })
  const isInstalled = await query.then(
    status => status === 'installed',
    () => false,
  )
  return isInstalled || succeeds('sh', ['-c', `command -v "$1"`, 'sh', name])
}
