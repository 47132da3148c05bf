import { setTimeout as sleep } from 'node:timers/promises'
import { ALIVE, type Member, memberOf } from '../members/members.ts'
import type { ClusterNetwork } from './network.ts'

/** Members report themselves twice a second. */
const LISTEN_MS = 1_500

/** The members that report themselves within a moment, by name, for a program that is not a member itself. */
export async function observeMembers(
  network: Pick<ClusterNetwork, 'subscribe'>,
  listenMs = LISTEN_MS,
): Promise<Member[]> {
  const members = new Map<string, Member>()
  const unsubscribe = network.subscribe(`${ALIVE}.*`, (message, { from }) => {
    const member = memberOf(message, from)
    if (!member || (message as { leaving?: boolean }).leaving) members.delete(from)
    else members.set(from, member)
  })
  await sleep(listenMs)
  unsubscribe()
  return [...members.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}
