import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cachePathOf, copyAtomically } from '../machine-cache.mjs'
import { root } from '../paths.mjs'
import { step } from '../progress.mjs'
import { run, SetupError, succeeds } from '../run.mjs'
import { installDebianPackages } from './debian-packages.mjs'

const inPlace = join(root, 'node_modules/better-sqlite3/build/Release/better_sqlite3.node')

const noBinary = `better-sqlite3 ships no binary for ${process.platform} on ${process.arch}.
  Supported are Linux, macOS and Windows on x64 and arm64.`

/** The build tools of node-gyp. */
const tools = ['python3', 'make', 'g++']

const TIME_LIMIT_MS = 15 * 60_000

/**
 * Installs the native module of better-sqlite3 for Node 20: its prebuilt binary if it can be downloaded, otherwise compiled
 * here. Newer versions of Node use a version that ships its binaries (packages/sqlite).
 */
export async function buildNativeModules() {
  if (await opensDatabase()) return
  if (Number(process.versions.node.split('.')[0]) >= 22) throw new SetupError(noBinary)
  const cached = cachePathOf('better_sqlite3.node', 'better-sqlite3', `node${process.versions.modules}`)
  if (existsSync(cached)) copyAtomically(cached, inPlace)
  if (await opensDatabase()) return

  let failure = await rebuild()
  if (failure && (await installDebianPackages(tools))) failure = await rebuild()
  if (failure || !(await opensDatabase())) throw new SetupError(remedy(failure))
  copyAtomically(inPlace, cached)
}

/** The error message, or null. @returns {Promise<string | null>} */
async function rebuild() {
  const env = nodeHeaders ? { npm_config_nodedir: nodeHeaders } : {}
  const args = ['rebuild', 'better-sqlite3', '--loglevel=warn']
  try {
    await step('Preparing better-sqlite3', () =>
      run('npm', args, { cwd: root, env, timeoutMs: TIME_LIMIT_MS }),
    )
    return null
  } catch (err) {
    return err.message
  }
}

/** Runs in a child process: a module compiled for another Node version may crash the process. */
const opensDatabase = () =>
  succeeds(process.execPath, ['-e', `new (require('@lectern/sqlite'))(':memory:').close()`], { cwd: root })

/** The installation prefix with Node's C++ headers (include/node), if present; otherwise node-gyp downloads them. */
const nodeHeaders = [dirname(dirname(realpathSync(process.execPath)))].find(prefix =>
  existsSync(join(prefix, 'include/node/node.h')),
)

/** @param {string | null} failure */
function remedy(failure) {
  const headers = nodeHeaders
    ? ''
    : `
  Node's C++ headers (include/node) are not installed with ${process.execPath}, so nodejs.org must be reachable;
  or install Node from NodeSource or the nodejs.org archive, which include them.`
  return `better-sqlite3 has no prebuilt binary for this system, and could not be compiled.
  Run: apt-get install ${tools.join(' ')}${headers}
  ${failure ?? 'It was built, but cannot open a database.'}`
}
