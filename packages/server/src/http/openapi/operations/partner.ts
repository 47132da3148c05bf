import type { Operation } from './operation.ts'

/** Below `/api/v1/integration` (docs/partner-api.md). */
export const partnerOperations = {
  createAccessToken: {
    tag: 'Links and tokens',
    summary: 'Get an access token',
    description:
      'Exchanges the secret of a service account for an access token. Store the token: it is valid for `expires_in` seconds, and there is no refresh token.',
    errors: ['invalid_credentials', 'rate_limited', 'not_configured'],
  },
  resolveLink: {
    tag: 'Links and tokens',
    summary: 'Resolve a link',
    description:
      'What a signed link opens: its room, its role and the name of its person. The response never contains a signed link.',
    errors: [
      'link_invalid',
      'room_not_found',
      'link_rotated',
      'room_closed',
      'room_cancelled',
      'account_deleted',
      'account_disabled',
      'rate_limited',
      'not_configured',
    ],
    response: { status: 'active' },
  },
  signInByLink: {
    tag: 'Links and tokens',
    summary: 'Sign in by link',
    description:
      'Signs the person of a personal link in. Repeated calls, other tabs and other devices get the same account. A `display_name` renames the account.',
    errors: [
      'no_participant_account',
      'link_invalid',
      'room_not_found',
      'link_rotated',
      'room_closed',
      'room_cancelled',
      'account_deleted',
      'account_disabled',
      'rate_limited',
      'not_configured',
    ],
    response: { login: 'p-4d1f0c2a9be37c58d6e1a2b0', expires_in: 900 },
  },
  getPartnerServerInfo: {
    tag: 'Partner service',
    summary: 'Get server information',
    description:
      'The version of the server, and the features of the API. `webhooks.transcription_ready` is among them if a transcriber is configured.',
  },
  createRoom: {
    tag: 'Rooms',
    summary: 'Create a room, or get it if it exists',
    description:
      'Creates the room under your own `external_id`, or returns the existing one unchanged: it never updates. `created` says which, and `differing_fields` which fields of the request differ from the existing room. Repeat it after a timeout.',
    response: { status: 'scheduled' },
  },
  listRooms: {
    tag: 'Rooms',
    summary: 'List rooms',
    description:
      'The rooms of your technical user, newest first, in pages. Filters that are given together all apply.',
    errors: ['rate_limited'],
    response: { next: null },
  },
  getRoom: {
    tag: 'Rooms',
    summary: 'Get a room',
    description: 'The room with its current links.',
    errors: ['room_not_found'],
    response: { status: 'scheduled' },
  },
  updateRoom: {
    tag: 'Rooms',
    summary: 'Update a room',
    description:
      'Changes the fields of the request. Omitted fields keep their values, null clears one. Use the links of the response: changing the `external_id` of a person replaces the link of that role.',
    errors: ['room_not_found'],
    request: { title: 'Algebra, lesson 12 (moved)' },
    response: { title: 'Algebra, lesson 12 (moved)', status: 'scheduled' },
  },
  cancelRoom: {
    tag: 'Rooms',
    summary: 'Cancel a room',
    description:
      'Ends a running call. From then on the links of the room answer 403 `room_cancelled`. It may be repeated.',
    errors: ['room_not_found'],
    response: { status: 'cancelled' },
  },
  closeRoom: {
    tag: 'Rooms',
    summary: 'Close a room',
    description:
      'Ends a running call. From then on the links of the room answer 403 `room_closed`. It may be repeated.',
    errors: ['room_not_found'],
    response: { status: 'closed' },
  },
  getRoomStatus: {
    tag: 'Rooms',
    summary: 'Get the status of a room',
    description:
      'The room, and whether a call is running: `live` is true and `status` is `active`. It may be polled every few seconds.',
    errors: ['room_not_found'],
    response: { status: 'active', live: true },
  },
  getWebhook: {
    tag: 'Webhook',
    summary: 'Get the webhook settings',
    description: 'The webhook of your service account. Its secret is never returned.',
  },
  setWebhook: {
    tag: 'Webhook',
    summary: 'Update the webhook settings',
    description:
      'Sets address, secret, events and whether the webhook is enabled. The first request needs `url` and `secret`; later ones keep what they omit. The address must use https and be public. A `secret` replaces all secrets at once.',
  },
  deleteWebhook: {
    tag: 'Webhook',
    summary: 'Remove the webhook',
    description:
      'Removes the webhook with its secrets, and cancels its pending deliveries. Deliveries stay listed. It may be repeated.',
    response: {
      configured: false,
      url: null,
      events: [],
      enabled: false,
      secret_configured: false,
      previous_secret_expires_at: null,
    },
  },
  rotateWebhookSecret: {
    tag: 'Webhook',
    summary: 'Replace the secret with an overlap',
    description:
      'Until `previous_secret_expires_at`, deliveries are signed with the new and with the previous secret. It may be repeated with the same secret.',
    errors: ['webhook_not_configured', 'rotation_in_progress', 'rate_limited'],
  },
  finishWebhookRotation: {
    tag: 'Webhook',
    summary: 'End the overlap of secrets',
    description: 'From now on the previous secret signs nothing. It may be repeated.',
    errors: ['webhook_not_configured'],
    response: { previous_secret_expires_at: null },
  },
  sendTestEvent: {
    tag: 'Webhook',
    summary: 'Send a test event',
    description:
      'Sends an event of the type `webhook.test` like any other, whatever `events` is, and returns its delivery.',
    errors: ['webhook_not_configured', 'webhook_disabled', 'rate_limited'],
    response: {
      event: 'webhook.test',
      subject: 'test:5f0c2e7d9b31a846',
      status: 'pending',
      attempts: 0,
      response_status: null,
      next_attempt_at_ms: 1_914_479_172_301,
    },
  },
  listDeliveries: {
    tag: 'Webhook',
    summary: 'List deliveries',
    description: 'What your service account was sent, newest first, in pages.',
    errors: ['rate_limited'],
    response: { next: null },
  },
  getDelivery: {
    tag: 'Webhook',
    summary: 'Get a delivery with its attempts',
    description: 'A delivery with the event that it carries, and its newest 20 attempts.',
    errors: ['delivery_not_found', 'rate_limited'],
  },
  replayDelivery: {
    tag: 'Webhook',
    summary: 'Send a delivery again',
    description: 'Sends it again with the same id and content, and all attempts, whatever its status.',
    errors: ['delivery_not_found', 'delivery_not_replayable', 'rate_limited'],
    response: {
      status: 'pending',
      attempts: 0,
      response_status: null,
      next_attempt_at_ms: 1_914_479_172_301,
    },
  },
} as const satisfies Record<string, Operation>
