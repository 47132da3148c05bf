import { localUrl } from '../../platform/address.ts'
import { isClustered } from '../../platform/config/cluster.ts'
import { type Check, fail, ok, warn } from './check.ts'
import { requestJson } from './instance.ts'
import { listening } from './port.ts'

export const nats: Check = async ({ config: { Cluster }, checkNats }) => {
  if (!isClustered(Cluster)) return ok('Not used: there is no cluster.')
  const failures = await Promise.all(Cluster.Nats.map(checkNats(Cluster.NatsCa)))
  const reasons = failures.filter(failure => failure !== null)
  if (reasons.length === 0) return ok(Cluster.Nats.map(({ label }) => label).join(' '))
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
