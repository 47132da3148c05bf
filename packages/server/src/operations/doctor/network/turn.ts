import { type Check, type CheckContext, type Finding, fail, ok, warn } from '../check.ts'
import { tryToBind } from '../port.ts'
import { firstLineOf } from '../programs.ts'
import { mediaPorts, openProbe } from './media-address.ts'
import { type Peer, tryTurn } from './turn-client.ts'

export const turn: Check = async context => {
  const { isRunning, turnServers, turnCredentials } = context
  const { urls, secret, isEmbedded } = turnServers
  if (urls.length === 0)
    return warn(
      'Not configured: participants behind strict firewalls cannot connect.',
      'Install coturn and set [Turn] Embedded = 1, or set [Turn] Urls and Secret to a TURN server of yours.',
    )
  if (secret === '')
    return fail(
      'Urls is set without Secret: credentials cannot be issued.',
      'Set [Turn] Secret to the static-auth-secret of coturn.',
    )
  if (isEmbedded) {
    const finding = await embedded(context)
    if (finding) return finding
  }
  const failures = await Promise.all(
    urls.map(async url => {
      try {
        await tryTurn(url, turnCredentials(secret), isRunning ? await mediaOf(context.config) : null)
        return null
      } catch (error) {
        return `${url}: ${(error as Error).message}`
      }
    }),
  )
  const reasons = failures.filter(failure => failure !== null)
  const todo = isEmbedded
    ? 'Open the port of coturn in the firewall, by UDP and TCP; the log of the server has its errors.'
    : 'Check [Turn] Urls and Secret, that the server runs, and that it may relay to the media address and ports.'
  if (reasons.length > 0) {
    const says = `Cannot be used: ${reasons.join('; ')}.`
    return reasons.length < urls.length ? warn(says, todo) : fail(says, todo)
  }
  return ok(`${urls.join(' ')} ${isRunning ? 'relays to the media ports' : 'allocates a relay'}.`)
}

/** The supervised coturn, as far as it can be checked without the server; null if its addresses can be tried. */
async function embedded({ config, isRunning }: CheckContext): Promise<Finding | null> {
  const { Turn } = config
  if ((await firstLineOf('turnserver', ['--version'])) === null)
    return fail('[Turn] Embedded = 1, but coturn is not installed.', 'Install it: apt-get install coturn.')
  const conflict = portConflict(config)
  if (conflict) return conflict
  if (isRunning) return null
  const code = await tryToBind('0.0.0.0', Turn.Port)
  if (code === null)
    return ok(`coturn is installed, and port ${Turn.Port} is free. It is tried when the server is running.`)
  if (code !== 'EADDRINUSE')
    return fail(`coturn cannot listen on port ${Turn.Port}: ${code}.`, 'Change [Turn] Port.')
  return fail(
    `Port ${Turn.Port} is in use by another program, probably the service of the package coturn.`,
    'Run: systemctl disable --now coturn. Or change [Turn] Port.',
  )
}

/** Ports of this server of which coturn would be one more user. */
function portConflict(config: CheckContext['config']): Finding | null {
  const { Server, Turn } = config
  const media = mediaPorts(config)
  const [other] = [
    ...(Turn.Port === Server.Port ? ['the pages'] : []),
    ...(media.includes(Turn.Port) ? ['a media worker'] : []),
  ]
  if (other) return fail(`coturn has port ${Turn.Port}, and ${other}, too.`, 'Change [Turn] Port.')
  const taken = media.find(port => port >= Turn.MinPort && port <= Turn.MaxPort)
  if (taken === undefined) return null
  return warn(
    `coturn relays from ports ${Turn.MinPort} to ${Turn.MaxPort}, of which media has ${taken}: a worker that is replaced may find it in use.`,
    'Change [Turn] MinPort or [Media] Port.',
  )
}

/** The media port of the running server that browsers use most. */
async function mediaOf(config: Parameters<typeof openProbe>[0]): Promise<Peer | null> {
  const { ice, candidates } = await openProbe(config)
  const candidate = candidates.find(({ protocol }) => protocol === 'udp')
  return candidate ? { ...candidate, ice } : null
}
