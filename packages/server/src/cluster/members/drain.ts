import type { ClusterNetwork } from '../network/network.ts'

const REQUEST_TIMEOUT_MS = 5_000

/** `drain`: sessions are given up, and no new ones taken. `undrain` ends that. */
export type DrainAction = 'drain' | 'undrain'

const subjectOf = (id: string, action: DrainAction) => `member.${id}.${action}`

/** Lets operators drain this member. An action may take long: the answer does not wait for it. Each may be repeated. */
export function serveDrain(
  network: Pick<ClusterNetwork, 'serve'>,
  id: string,
  actions: Record<DrainAction, () => void>,
): () => void {
  const stops = (['drain', 'undrain'] as const).map(action =>
    network.serve(subjectOf(id, action), () => {
      actions[action]()
      return null
    }),
  )
  return () => {
    for (const stop of stops) stop()
  }
}

/** Throws a NetworkError if the member does not answer; `no_responder` also if it does not know the action. */
export async function requestDrain(
  network: Pick<ClusterNetwork, 'request'>,
  id: string,
  action: DrainAction,
): Promise<void> {
  await network.request(subjectOf(id, action), null, REQUEST_TIMEOUT_MS)
}
