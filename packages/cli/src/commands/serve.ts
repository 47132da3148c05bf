import { setFlagsFromString } from 'node:v8'
import { loadConfig } from '@lectern/server/operator'
import type { Command } from 'commander'
import { addCommand, type Common } from '../command.ts'
import { explainStart } from '../listening.ts'
import { untilStopped } from '../stop.ts'

export function addServe(lectern: Command) {
  addCommand(
    lectern,
    'serve',
    'run the service; prints one line of JSON when ready, logs go to standard error',
  ).action(serve)
}

async function serve({ config: file }: Common) {
  const config = loadConfig(file)
  const stopped = untilStopped() // from now on, so that a signal during the start is not lost
  const { startServer } = await import('@lectern/server') // all of the service: other commands do without
  const server = await startServer(config).catch(error => {
    throw explainStart(error, config, 'Stop that program, or change [Server] Port.')
  })
  setFlagsFromString('--semi-space-growth-factor=2') // V8's own; bin/lectern.js held it down for the start
  process.stdout.write(`${JSON.stringify({ ready: true, url: server.url })}\n`)
  await stopped
  await server.close()
  process.exit(0)
}
