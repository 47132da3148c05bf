import { type Config, createLog, loadConfig, mediaHostAddress, openOperator } from '@lectern/server/operator'
import { type Command, InvalidArgumentError } from 'commander'
import { type CommonOptions, withJson } from '../command.ts'
import { explainStart } from '../listening.ts'
import { print } from '../output.ts'
import { openDemoAccount } from '../quickstart/demo-account.ts'
import { openDemoRoom } from '../quickstart/demo-room.ts'
import { appendTo, type Folder, prepareFolder } from '../quickstart/folder.ts'
import { toJson, toText } from '../quickstart/summary.ts'
import { untilStopped } from '../stop.ts'

interface Options extends Pick<CommonOptions, 'json'> {
  data: string
  port?: number
}

const DEFAULT_PORT = 8080

export function addQuickstart(lectern: Command) {
  withJson(lectern.command('quickstart'))
    .description('run a local demo with a ready-made room; "npm start" runs this command')
    .option('--data <dir>', 'folder for configuration and data; created at the first run', 'data')
    .option(
      '--port <number>',
      `port to listen on, 0 for any free port (default: from the configuration, initially ${DEFAULT_PORT})`,
      parsePort,
    )
    .action(quickstart)
}

async function quickstart(options: Options) {
  const folder = prepareFolder(options.data, options.port || DEFAULT_PORT)
  const port = options.port === undefined ? {} : { SVC_SERVER_PORT: String(options.port) }
  const config = loadConfig(folder.config, { ...process.env, ...port })

  const stopped = untilStopped() // before the start, so that a signal during it is not lost
  const { startServer } = await import('@lectern/server') // loads the whole service, which other commands do not need
  const server = await startServer(config, createLog(config.Server.LogLevel, appendTo(folder.log))).catch(
    error => {
      throw explainStart(error, config, `Use another port: npm start -- --port ${config.Server.Port + 1}`)
    },
  )
  try {
    const withoutFirefox = config.Media.ListenOnHostAddress && mediaHostAddress(config) === null
    const demo = { url: server.url, folder, withoutFirefox, ...(await openDemo(config, folder, server.url)) }
    print(options, toJson(demo), toText(demo))
    await stopped
    if (!options.json) process.stdout.write('\n  Stopping Lectern.\n')
  } finally {
    await server.close()
  }
  process.exit(0)
}

/** The demo account and its room, created through the partner API. */
async function openDemo(config: Config, folder: Folder, url: string) {
  const operator = await openOperator(config)
  try {
    const { account, token } = await openDemoAccount(folder.account, url, operator)
    return { account, room: await openDemoRoom(url, token) }
  } finally {
    await operator.close()
  }
}

function parsePort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError('A port is a number from 0 to 65535.')
  return Number(text)
}
