import { expectedConsumers } from '../../media/placement.ts'
import type { Member } from '../members/members.ts'
import type { NodeLoad } from './protocol.ts'

/** The parts of a session that are on the nodes already. */
export interface Presence {
  /** Participants, by node. */
  participants: ReadonlyMap<string, number>
  publications: number
}

interface Wishes extends Presence {
  /** Empty: any. */
  region: string
  excluded: (nodeId: string) => boolean
  /** Consumers that were placed on a node since it reported its load. */
  placedOn: (nodeId: string) => number
}

/** Above it, a node's workers may refuse new TCP connections soon. */
const DESCRIPTORS_SCARCE = 0.8
const FULL = 1
/** The load that a session probably adds to a node with one worker, until the node reports it. */
export const SESSION_CONSUMERS = 10
/** Consumers per worker of nodes that do not report how much they serve well. */
const CAPACITY_PER_WORKER = 500

/**
 * The node for a participant: one that serves the session in the region, until it is full; then a further one of the region;
 * then those elsewhere, in the same order. Of several, the least loaded one. Null when there is none at all. For the first
 * participant of a session, it is the node of the session.
 */
export function chooseNode(members: Member[], wishes: Wishes): Member | null {
  const { region, excluded, participants } = wishes
  const usable = members.filter(
    each =>
      each.role === 'media-node' && !each.draining && numberIn(each, 'workers') > 0 && !excluded(each.id),
  )
  const isGood = (member: Member) =>
    numberIn(member, 'descriptors') < DESCRIPTORS_SCARCE && expectedLoad(member, wishes) < FULL
  const isNear = (member: Member) => region !== '' && member.region === region
  const isServing = (member: Member) => participants.has(member.id)
  const candidates = [
    (member: Member) => isServing(member) && isGood(member) && isNear(member),
    (member: Member) => isGood(member) && isNear(member),
    (member: Member) => isServing(member) && isGood(member),
    isGood,
    isServing,
    () => true,
  ]
    .map(matches => usable.filter(matches))
    .find(each => each.length > 0)
  return (candidates ?? []).reduce<Member | null>(
    (least, each) => (least && expectedLoad(least, wishes) <= expectedLoad(each, wishes) ? least : each),
    null,
  )
}

/** The consumers that another participant of a session is expected to have. */
export const consumersOfNext = ({ participants, publications }: Presence): number =>
  expectedConsumers(1 + [...participants.values()].reduce((sum, count) => sum + count, 0), publications)

/**
 * The reported load and what was placed since, or the load that the session alone will need there, if that is more:
 * people publish and subscribe only after they have been placed.
 */
function expectedLoad(node: Member, { placedOn, ...presence }: Wishes): number {
  const capacity = numberIn(node, 'capacity') || CAPACITY_PER_WORKER * numberIn(node, 'workers')
  const reported = numberIn(node, 'load') + placedOn(node.id) / capacity
  const own = presence.participants.get(node.id) ?? 0
  return Math.max(reported, (own * consumersOfNext(presence)) / capacity)
}

const numberIn = ({ load }: Member, name: keyof NodeLoad): number => load[name] ?? 0
