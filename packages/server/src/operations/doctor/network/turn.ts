import { type Check, fail, ok, warn } from '../check.ts'
import { openProbe } from './media-address.ts'
import { type Peer, tryTurn } from './turn-client.ts'

export const turn: Check = async ({ config, isRunning, turnCredentials }) => {
  const { Urls, Secret } = config.Turn
  if (Urls.length === 0)
    return warn(
      'Not configured: participants behind strict firewalls cannot connect.',
      'Run a TURN server such as coturn, and set [Turn] Urls and Secret.',
    )
  if (Secret === '')
    return fail(
      'Urls is set without Secret: credentials cannot be issued.',
      'Set [Turn] Secret to the static-auth-secret of coturn.',
    )
  const failures = await Promise.all(
    Urls.map(async url => {
      try {
        await tryTurn(url, turnCredentials(config), isRunning ? await mediaOf(config) : null)
        return null
      } catch (error) {
        return `${url}: ${(error as Error).message}`
      }
    }),
  )
  const reasons = failures.filter(failure => failure !== null)
  const todo =
    'Check [Turn] Urls and Secret, that the server runs, and that it may relay to the media address and ports.'
  if (reasons.length > 0) {
    const says = `Cannot be used: ${reasons.join('; ')}.`
    return reasons.length < Urls.length ? warn(says, todo) : fail(says, todo)
  }
  return ok(`${Urls.join(' ')} ${isRunning ? 'relays to the media ports' : 'allocates a relay'}.`)
}

/** The media port of the running server that browsers use most. */
async function mediaOf(config: Parameters<typeof openProbe>[0]): Promise<Peer | null> {
  const { ice, candidates } = await openProbe(config)
  const candidate = candidates.find(({ protocol }) => protocol === 'udp')
  return candidate ? { ...candidate, ice } : null
}
