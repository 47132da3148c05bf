export {
  type DeliveryListOptions,
  type DownloadOptions,
  PartnerClient,
  type PartnerClientOptions,
  type RoomListOptions,
} from './client.ts'
export { LecternError } from './errors.ts'
export { RETRY_DELAYS_MS } from './retry.ts'
export type { CallOptions } from './session.ts'
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
  RoomStatusResponse,
  ServerInfoResponse,
  TranscriptionReady,
  WebhookEvent,
  WebhookRequest,
  WebhookResponse,
  WebhookTest,
} from './types.ts'
export {
  type Delivery,
  type VerificationFailure,
  verifyWebhook,
  WebhookVerificationError,
} from './webhook.ts'
