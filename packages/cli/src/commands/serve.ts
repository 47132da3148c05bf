import { loadConfig } from '@lectern/server/operator'
import type { Command } from 'commander'
import { addCommand, type CommonOptions } from '../command.ts'
import { explainStart } from '../listening.ts'
import { takeReadiness } from '../ready.ts'
import { untilStopped } from '../stop.ts'
import { growYoungGeneration } from '../young-generation.ts'

export function addServe(lectern: Command) {
  addCommand(
    lectern,
    'serve',
    'run the service; prints one line of JSON when ready and logs to standard error',
  ).action(serve)
}

async function serve({ config: file }: CommonOptions) {
  const config = loadConfig(file)
  // The group of a proxy reads the files that it sends; what is not for it has modes of its own.
  if (config.Storage.SendfileHeader !== 'none') process.umask(0o027)
  const reportReady = takeReadiness()
  const stopped = untilStopped() // before the start, so that a signal during it is not lost
  const { startServer } = await import('@lectern/server') // loads the whole service, which other commands do not need
  const server = await startServer(config).catch(error => {
    throw explainStart(error, config, 'Stop that program or change [Server] Port.')
  })
  growYoungGeneration()
  reportReady(server.url)
  await stopped
  await server.close()
  process.exit(0)
}
