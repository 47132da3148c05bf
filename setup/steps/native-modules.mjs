import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { copyWhole, placeInCache } from '../machine-cache.mjs'
import { root } from '../paths.mjs'
import { step } from '../progress.mjs'
import { run, SetupError, succeeds } from '../run.mjs'
import { installDebianPackages } from './debian-packages.mjs'

const inPlace = join(root, 'node_modules/better-sqlite3/build/Release/better_sqlite3.node')

/** What node-gyp compiles with. */
const tools = ['python3', 'make', 'g++']

const TIME_LIMIT_MS = 15 * 60_000

/** Makes better-sqlite3 work: with its ready-made binary where that can be downloaded, else compiled here. */
export async function buildNativeModules() {
  if (await opensDatabase()) return
  const cached = placeInCache('better_sqlite3.node', 'better-sqlite3', `node${process.versions.modules}`)
  if (existsSync(cached)) copyWhole(cached, inPlace)
  if (await opensDatabase()) return

  let failure = await rebuild()
  if (failure && (await installDebianPackages(tools))) failure = await rebuild()
  if (failure || !(await opensDatabase())) throw new SetupError(remedy(failure))
  copyWhole(inPlace, cached)
}

/** Tells what went wrong, or null. @returns {Promise<string | null>} */
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

/** In a process of its own: a module compiled for another Node may crash the one that loads it. */
const opensDatabase = () =>
  succeeds(process.execPath, ['-e', `new (require('better-sqlite3'))(':memory:').close()`], { cwd: root })

/** The folder whose include/node holds Node's C++ headers, where they lie beside Node; else node-gyp downloads them. */
const nodeHeaders = [dirname(dirname(realpathSync(process.execPath)))].find(prefix =>
  existsSync(join(prefix, 'include/node/node.h')),
)

/** @param {string | null} failure */
function remedy(failure) {
  const headers = nodeHeaders
    ? ''
    : `
  Node's C++ headers (include/node) are not beside ${process.execPath}, so nodejs.org must be reachable;
  or install Node from NodeSource's package or nodejs.org's archive, which bring them.`
  return `better-sqlite3 has neither a ready-made binary nor could it be compiled.
  It needs: apt-get install ${tools.join(' ')}${headers}
  ${failure ?? 'It was built, but opens no database.'}`
}
