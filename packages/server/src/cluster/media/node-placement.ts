import type { Member } from '../members.ts'
import type { NodeLoad } from './protocol.ts'

interface Wishes {
  /** Empty: any. */
  region: string
  excluded: (nodeId: string) => boolean
  /** How many sessions were placed on a node since it reported its load. */
  placedOn: (nodeId: string) => number
}

/** Above it, a node's workers may refuse new TCP connections soon. */
const DESCRIPTORS_SCARCE = 0.8
const FULL = 1
/** What a session probably adds to the load of a node, until the node reports it. */
const SESSION_LOAD = 0.02

/**
 * The node for a session: the least loaded one of the region, or of all where the region has none that is not full. Null
 * when there is none at all.
 */
export function chooseNode(members: Member[], { region, excluded, placedOn }: Wishes): Member | null {
  const loadOf = (member: Member) => numberIn(member, 'load') + placedOn(member.id) * SESSION_LOAD
  const usable = members.filter(
    each =>
      each.role === 'media-node' && !each.draining && numberIn(each, 'workers') > 0 && !excluded(each.id),
  )
  const good = usable.filter(
    each => numberIn(each, 'descriptors') < DESCRIPTORS_SCARCE && loadOf(each) < FULL,
  )
  const near = region === '' ? [] : good.filter(each => each.region === region)
  const candidates = [near, good, usable].find(each => each.length > 0) ?? []
  return candidates.reduce<Member | null>(
    (least, each) => (least && loadOf(least) <= loadOf(each) ? least : each),
    null,
  )
}

const numberIn = ({ load }: Member, name: keyof NodeLoad): number => load[name] ?? 0
