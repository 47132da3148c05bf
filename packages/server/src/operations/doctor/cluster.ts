import { isLoopback, localUrl } from '../../platform/address.ts'
import { isClustered, type NatsAddress } from '../../platform/config/cluster.ts'
import { type Check, fail, ok, warn } from './check.ts'
import { requestJson } from './instance.ts'
import { listening } from './port.ts'

const isHere = (host: string) => host === 'localhost' || isLoopback(host)
const labelsOf = (addresses: readonly NatsAddress[]) => addresses.map(({ label }) => label).join(' ')

export const nats: Check = async ({ config: { Cluster }, checkNats }) => {
  if (!isClustered(Cluster)) return ok('Not used: there is no cluster.')
  const failures = await Promise.all(Cluster.Nats.map(checkNats(Cluster.NatsCa)))
  const reasons = failures.filter(failure => failure !== null)
  const open = Cluster.Nats.filter(({ host, user, token }) => !isHere(host) && !user && !token)
  if (reasons.length === 0 && open.length > 0)
    return warn(
      `${labelsOf(open)} used without credentials: whoever reaches NATS reads the messages between servers, and the keys of media.`,
      'Give NATS users or a token, name them in [Cluster] Nats, and use TLS where others share the network.',
    )
  if (reasons.length === 0) return ok(labelsOf(Cluster.Nats))
  const says = `Cannot be used: ${reasons.join('; ')}.`
  const todo = 'Start these NATS servers, or change [Cluster] Nats.'
  return reasons.length < failures.length ? warn(says, todo) : fail(says, todo)
}

/** Checks the port on which a media node serves its state. */
export const nodePort: Check = ({ config: { MediaNode } }) =>
  listening(MediaNode, 'MediaNode', async () => {
    const { status } = await requestJson(
      `${localUrl({ Server: { ...MediaNode, TlsCert: '' } })}/healthz`,
    ).catch(() => ({}) as { status?: unknown })
    return status === 'ok'
  })
