export { type DownloadOptions, PartnerClient, type PartnerClientOptions } from './client.ts'
export { LecternError } from './errors.ts'
export { RETRY_DELAYS_MS } from './retry.ts'
export type { CallOptions } from './session.ts'
export type {
  FileRecord,
  RecordingReady,
  RecordingRecord,
  RoomRequest,
  RoomResponse,
  RoomStatusResponse,
  ServerInfoResponse,
  TranscriptionReady,
  WebhookEvent,
  WebhookRequest,
  WebhookResponse,
} from './types.ts'
export {
  type Delivery,
  type VerificationFailure,
  verifyWebhook,
  WebhookVerificationError,
} from './webhook.ts'
