import { type Config, createLog, loadConfig, mediaHostAddress, openOperator } from '@lectern/server/operator'
import { type Command, InvalidArgumentError } from 'commander'
import { type Common, withJson } from '../command.ts'
import { explainStart } from '../listening.ts'
import { print } from '../output.ts'
import { openDemoAccount } from '../quickstart/demo-account.ts'
import { openDemoRoom } from '../quickstart/demo-room.ts'
import { appendTo, type Folder, prepareFolder } from '../quickstart/folder.ts'
import { toJson, toText } from '../quickstart/summary.ts'
import { untilStopped } from '../stop.ts'

interface Options extends Pick<Common, 'json'> {
  data: string
  port?: number
}

const DEFAULT_PORT = 8080

export function addQuickstart(lectern: Command) {
  withJson(lectern.command('quickstart'))
    .description('run the service for a try, with a room to open; what "npm start" does')
    .option('--data <dir>', 'folder of its configuration and data, made at the first run', 'data')
    .option(
      '--port <number>',
      `port to listen on, 0 for any free one (default: the configured one, at first ${DEFAULT_PORT})`,
      parsePort,
    )
    .action(quickstart)
}

async function quickstart(options: Options) {
  const folder = prepareFolder(options.data, options.port || DEFAULT_PORT)
  const port = options.port === undefined ? {} : { SVC_SERVER_PORT: String(options.port) }
  const config = loadConfig(folder.config, { ...process.env, ...port })

  const stopped = untilStopped() // from now on, so that a signal during the start is not lost
  const { startServer } = await import('@lectern/server') // all of the service: other commands do without
  const server = await startServer(config, createLog(config.Server.LogLevel, appendTo(folder.log))).catch(
    error => {
      throw explainStart(error, config, `Try another: npm start -- --port ${config.Server.Port + 1}`)
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

/** The demo account and its room, made through the very API that partners use. */
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
