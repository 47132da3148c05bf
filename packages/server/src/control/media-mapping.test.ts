import { MEDIA_SCOPES } from '@lectern/protocol/control'
import { describe, expect, it } from 'vitest'
import { presentNegotiation, toNegotiation } from './media-mapping.ts'

describe('toNegotiation', () => {
  it.each(MEDIA_SCOPES)('maps a reference of the scope %s without loss', scope => {
    const ref = {
      conference_session_id: '7',
      participant_instance_id: 'pi-1',
      publication_id: 'p',
      endpoint_id: 'e',
      negotiation_id: 'n',
      rtc_node_id: 'r',
      route_generation: '1',
      scope,
    }
    const participant = { sessionId: 7, participantId: 'pi-1' }
    expect(presentNegotiation(participant, toNegotiation(ref))).toEqual(ref)
  })
})
