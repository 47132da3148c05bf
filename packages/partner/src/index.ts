export {
  type DeliveryListOptions,
  type DownloadOptions,
  PartnerClient,
  type PartnerClientOptions,
  type RoomListOptions,
} from './client.ts'
export { LecternError } from './errors.ts'
export { RETRY_DELAYS_MS } from './retry.ts'
export type { CallOptions, SlidesOptions } from './session.ts'
export type {
  DeliveryDetailsResponse,
  DeliveryListResponse,
  DeliveryResponse,
  FileRecord,
  RecordingReady,
  RecordingRecord,
  RoomListResponse,
  RoomPutResponse,
  RoomRequest,
  RoomResponse,
  RoomSlides,
  RoomStatusResponse,
  ServerInfoResponse,
  SlidesFailure,
  TranscriptionReady,
  WebhookEvent,
  WebhookRequest,
  WebhookResponse,
  WebhookTest,
} from './types.ts'
export type { PartnerV2 } from './v2/client.ts'
export type { EventPages } from './v2/event-pages.ts'
export type * from './v2/event-types.ts'
export type {
  ActionOptions,
  EndpointDeliveryOptions,
  EventFilters,
  OrderedPageOptions,
  PageOptions,
  RoomListFilters,
  RoomPageOptions,
  TranscriptPageOptions,
} from './v2/requests.ts'
export { verifyStandardWebhook } from './v2/standard-webhook.ts'
export type * from './v2/types.ts'
export {
  type Delivery,
  type VerificationFailure,
  verifyWebhook,
  WebhookVerificationError,
} from './webhook.ts'
