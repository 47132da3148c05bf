import type { RefusalCode, RelationChanges, RelationCounts, RelationDecision, Relations } from './ports.ts'

/** Decides what two accounts may do to each other (rules MSG-20 to MSG-28). */

/** Contacts, own requests and blocked people of an account. */
export const OWN_RELATIONS_MAX = 900
/** Requests of others that wait for an answer. */
const INCOMING_MAX = 100
/** Own requests that wait for an answer. */
const OUTGOING_MAX = 50
/** Messages to somebody who has not accepted the request yet. */
const REQUEST_MESSAGES_MAX = 3

type Counts = () => Promise<{ own: RelationCounts; other: RelationCounts }>

const changed = (changes: RelationChanges = {}): RelationDecision => ({ is: 'changed', changes })
const refused = (code: RefusalCode): RelationDecision => ({ is: 'refused', code })

const contact = { state: 'contact', sent: 0 } as const

/** The effect of a direct message. */
export async function decideMessage({ own, other }: Relations, counts: Counts): Promise<RelationDecision> {
  if (own?.state === 'blocked') return refused('blocked_by_you')
  if (other?.state === 'blocked') return refused('not_reachable')
  switch (own?.state) {
    case 'contact':
      return changed()
    case 'incoming':
    case 'declined':
      if (other?.state === 'outgoing') return accept(counts)
      break
    case 'outgoing':
      if (other?.state !== 'incoming' || own.sent >= REQUEST_MESSAGES_MAX) return refused('request_pending')
      return changed({ own: { ...own, sent: own.sent + 1 } })
  }
  return decideRequest(other, counts, 1)
}

/** Whether a new text may reach the other: a message that was sent before is a way to write, too. */
export function decideEdit({ own, other }: Relations): RelationDecision {
  if (own?.state === 'blocked') return refused('blocked_by_you')
  if (other?.state === 'blocked') return refused('not_reachable')
  if (other?.state === 'declined')
    return refused(own?.state === 'outgoing' ? 'request_pending' : 'not_reachable')
  return changed()
}

/** The effect of `contact.add`. */
export async function decideAdd({ own, other }: Relations, counts: Counts): Promise<RelationDecision> {
  if (own?.state === 'blocked') return refused('blocked_by_you')
  if (other?.state === 'blocked') return refused('not_reachable')
  if (own?.state === 'contact' || own?.state === 'outgoing') return changed()
  if (other?.state === 'outgoing' || other?.state === 'contact') {
    return accept(counts)
  }
  return decideRequest(other, counts, 0)
}

async function accept(counts: Counts): Promise<RelationDecision> {
  if ((await counts()).own.own >= OWN_RELATIONS_MAX) return refused('too_many_contacts')
  return changed({ own: contact, other: contact })
}

async function decideRequest(
  other: Relations['other'],
  counts: Counts,
  sent: number,
): Promise<RelationDecision> {
  // An account that has declined is not asked again, and the sender does not learn of it.
  if (other?.state === 'declined') return refused('not_reachable')
  const { own: mine, other: theirs } = await counts()
  if (mine.outgoing >= OUTGOING_MAX) return refused('too_many_requests')
  if (mine.own >= OWN_RELATIONS_MAX) return refused('too_many_contacts')
  if (theirs.incoming >= INCOMING_MAX) return refused('not_reachable')
  return changed({ own: { state: 'outgoing', sent }, other: { state: 'incoming', sent: 0 } })
}

/** The effect of `contact.remove`. */
export async function decideRemove(
  { own, other }: Relations,
  blocked: boolean,
  counts: Counts,
): Promise<RelationDecision> {
  const isMutual = own?.state === 'contact' || own?.state === 'outgoing'
  if (blocked) {
    if (own?.state === 'blocked') return changed()
    const adds = isMutual ? 0 : 1
    if ((await counts()).own.own + adds > OWN_RELATIONS_MAX) return refused('too_many_contacts')
    return changed({
      own: { state: 'blocked', sent: 0 },
      ...(other && other.state !== 'blocked' && other.state !== 'declined' && { other: null }),
    })
  }
  switch (own?.state) {
    case 'incoming':
      return changed({ own: { state: 'declined', sent: 0 } })
    case 'contact':
      return changed({ own: null, other: null })
    case 'outgoing':
      return changed({ own: null, ...(other?.state === 'incoming' && { other: null }) })
    case 'blocked':
      return changed({ own: null })
    default:
      return changed()
  }
}
