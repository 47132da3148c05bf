/** `npm start [-- arguments of lectern quickstart]`: prepares the checkout, then starts Lectern. */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import { root } from './paths.mjs'
import { explain, prepare } from './prepare.mjs'

try {
  await prepare()
  startLectern(process.argv.slice(2))
} catch (err) {
  explain(err)
  process.exitCode = 1
}

/** @param {string[]} args */
function startLectern(args) {
  const cli = join(root, 'packages/cli/bin/lectern.js')
  const child = spawn(process.execPath, [cli, 'quickstart', ...args], { stdio: 'inherit' })
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  process.on('SIGINT', () => {
    // In a terminal Ctrl+C also reaches the child; a second signal would abort its graceful shutdown.
    if (!process.stdin.isTTY) child.kill('SIGINT')
  })
  child.once('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}
