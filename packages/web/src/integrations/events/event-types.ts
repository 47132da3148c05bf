import type { PartnerEventType } from '@lectern/protocol'

/** Equal to PARTNER_EVENTS of the protocol, whose schemas are not for pages. */
const TYPES: Record<PartnerEventType, true> = {
  'room.started': true,
  'room.ended': true,
  'participant.waiting': true,
  'participant.joined': true,
  'participant.left': true,
  'recording.started': true,
  'recording.ready': true,
  'recording.failed': true,
  'recording.deleted': true,
  'transcription.ready': true,
  'room.deleted': true,
}
export const EVENT_TYPES = Object.keys(TYPES) as PartnerEventType[]
