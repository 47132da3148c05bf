import type { Invitation } from '../link/invitation.ts'

type Room = Pick<Invitation, 'isCall' | 'isPartnerRoom' | 'tag'>

/**
 * The address with which others can join; null where there is none that may be shared: people come to partner rooms with
 * personal links, and into calls by being called. It is made from the tag, and never from the address of the page, which
 * may be a personal link.
 */
export const invitationUrlOf = ({ isCall, isPartnerRoom, tag }: Room, origin: string): string | null =>
  isPartnerRoom || isCall ? null : new URL(`/conferences/${encodeURIComponent(tag)}`, origin).href
