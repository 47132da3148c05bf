import type { ControlMedia, SubscribeOffer } from '@lectern/protocol/control'
import type { SessionMembership } from '../commands/command.ts'
import { encodeTail } from './envelopes.ts'

type Offer = Pick<ControlMedia, 'media' | 'name' | 'body'>

/**
 * The offer of the server in the format of the client's endpoint; null when it does not fit into a description.
 * `encoded` is its text after the binding.
 */
export function inFormatOf(
  memberships: ReadonlyMap<string, SessionMembership>,
  encoded: string,
): string | null {
  const described = [...memberships.values()].filter(({ sdp }) => sdp !== undefined)
  if (described.length === 0) return encoded
  const { media, name, body } = JSON.parse(`{${encoded}`) as Offer
  const own = described.find(({ participant }) => participant.participantId === media.participant_instance_id)
  if (!own?.sdp) return encoded
  const offer = own.sdp.describe(media.publication_id, body as unknown as SubscribeOffer)
  return offer && encodeTail({ media, name, body: offer })
}
