import type * as protocol from '@lectern/protocol'
import { describe, expectTypeOf, it } from 'vitest'
import type * as types from './types.ts'

/** Compared by the compiler, in `npm run check`. */
describe('the published types', () => {
  it('equal the schemas of the server', () => {
    expectTypeOf<types.RoomRequest>().toEqualTypeOf<protocol.RoomRequest>()
    expectTypeOf<types.RoomResponse>().toEqualTypeOf<protocol.RoomResponse>()
    expectTypeOf<types.RoomPutResponse>().toEqualTypeOf<protocol.RoomPutResponse>()
    expectTypeOf<types.RoomListResponse>().toEqualTypeOf<protocol.RoomListResponse>()
    expectTypeOf<types.DeliveryListResponse>().toEqualTypeOf<protocol.DeliveryListResponse>()
    expectTypeOf<types.DeliveryResponse>().toEqualTypeOf<protocol.DeliveryResponse>()
    expectTypeOf<types.DeliveryDetailsResponse>().toEqualTypeOf<protocol.DeliveryDetailsResponse>()
    expectTypeOf<types.WebhookTest>().toEqualTypeOf<protocol.WebhookTest>()
    expectTypeOf<types.RoomStatusResponse>().toEqualTypeOf<protocol.RoomStatusResponse>()
    expectTypeOf<types.RoomSlides>().toEqualTypeOf<protocol.RoomSlidesView>()
    expectTypeOf<types.TokenResponse>().toEqualTypeOf<protocol.TokenResponse>()
    expectTypeOf<types.ServerInfoResponse>().toEqualTypeOf<protocol.ServerInfoResponse>()
    expectTypeOf<types.WebhookRequest>().toEqualTypeOf<protocol.WebhookRequest>()
    expectTypeOf<types.WebhookResponse>().toEqualTypeOf<protocol.WebhookResponse>()
    expectTypeOf<types.RecordingsResponse>().toEqualTypeOf<protocol.RecordingsResponse>()
    expectTypeOf<types.RecordingReady>().toEqualTypeOf<protocol.RecordingReady>()
    expectTypeOf<types.TranscriptionReady>().toEqualTypeOf<protocol.TranscriptionReady>()
  })
})
