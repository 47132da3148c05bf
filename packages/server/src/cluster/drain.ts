import type { ClusterNetwork } from './network.ts'

const REQUEST_TIMEOUT_MS = 5_000

const subjectOf = (id: string) => `member.${id}.drain`

/** Lets operators drain this member. `drain` may take long: the answer does not wait for it. */
export const serveDrain = (
  network: Pick<ClusterNetwork, 'serve'>,
  id: string,
  drain: () => void,
): (() => void) =>
  network.serve(subjectOf(id), () => {
    drain()
    return null
  })

/** Asks a member to give up its sessions and to take no new ones. Throws a NetworkError if it does not answer. */
export async function requestDrain(network: Pick<ClusterNetwork, 'request'>, id: string): Promise<void> {
  await network.request(subjectOf(id), null, REQUEST_TIMEOUT_MS)
}
