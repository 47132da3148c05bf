/** `npm run cluster [-- --servers 3 --media-nodes 2 --recorders 2]`: prepares the checkout, then starts a cluster on this machine. */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import { root } from './paths.mjs'
import { explain, prepare } from './prepare.mjs'

try {
  await prepare({ forCluster: true })
  startCluster(process.argv.slice(2))
} catch (err) {
  explain(err)
  process.exitCode = 1
}

/** @param {string[]} args */
function startCluster(args) {
  const program = join(root, 'e2e/dist/support/cluster/main.js')
  const child = spawn(process.execPath, [program, ...args], { stdio: 'inherit' })
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  process.on('SIGINT', () => {
    // In a terminal Ctrl+C also reaches the child.
    if (!process.stdin.isTTY) child.kill('SIGINT')
  })
  child.once('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}
