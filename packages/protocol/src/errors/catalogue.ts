import type { ControlErrorCode } from './control-codes.ts'

/** How a refusal is reported: over HTTP where it has a `status`, on the control channel where it has a `control` code. */
export interface CatalogueEntry {
  status?: number
  /** The code over HTTP, where it is not the key of the entry. */
  httpCode?: string
  control?: ControlErrorCode
  /** `error.extensions.reason` on the control channel, where it is not the key of the entry. Null: there is none. */
  reason?: string | null
  /** Whether the same request may succeed later. */
  retryable: boolean
  /** The `Retry-After` of HTTP, where the refusal itself does not know a better one. */
  retryAfterSeconds?: number
  message: string
}

/**
 * Every refusal of the service, over HTTP and on the control channel. A code means the same everywhere.
 * scripts/errors-document.mjs generates docs/errors.md from this table.
 */
export const errors = {
  // Requests
  invalid_json: {
    status: 400,
    control: 'invalid_argument',
    retryable: false,
    message: 'The body is not valid JSON.',
  },
  invalid_argument: {
    status: 400,
    control: 'invalid_argument',
    retryable: false,
    message: 'A value in the request is missing or invalid.',
  },
  not_found: { status: 404, retryable: false, message: 'The requested URL does not exist.' },
  method_not_allowed: {
    status: 405,
    retryable: false,
    message: 'This URL does not support the request method; the header Allow lists those that it does.',
  },
  request_timeout: {
    status: 408,
    retryable: true,
    message: 'The request did not arrive in time; send it again.',
  },
  precondition_failed: {
    status: 412,
    retryable: false,
    message: 'The If-Match header names an older version; send the ETag of the newest response.',
  },
  precondition_required: {
    status: 428,
    retryable: false,
    message: 'The request needs an If-Match header with the ETag of the newest response.',
  },
  payload_too_large: { status: 413, retryable: false, message: 'The body is too large.' },
  uri_too_long: { status: 414, retryable: false, message: 'The URL is too long.' },
  unsupported_media_type: {
    status: 415,
    retryable: false,
    message: 'Send the body as JSON, with Content-Type: application/json.',
  },
  range_not_satisfiable: {
    status: 416,
    retryable: false,
    message: 'The Range header must name a single range of bytes within the file.',
  },
  expectation_failed: {
    status: 417,
    retryable: false,
    message: 'The header Expect may only be 100-continue.',
  },
  upgrade_required: {
    status: 426,
    retryable: false,
    message: 'This URL accepts WebSocket connections only.',
  },
  headers_too_large: { status: 431, retryable: false, message: 'The request headers are too large.' },

  // Sign-in and permissions
  unauthenticated: {
    status: 401,
    control: 'unauthenticated',
    retryable: false,
    message: 'A valid bearer token is required.',
  },
  token_expired: {
    status: 401,
    control: 'token_expired',
    retryable: false,
    message: 'The token has expired; request a new one.',
  },
  invalid_credentials: { status: 401, retryable: false, message: 'The name or the secret is wrong.' },
  session_ended: {
    status: 401,
    control: 'unauthenticated',
    retryable: false,
    message: 'This sign-in has ended; sign in again.',
  },
  account_deleted: {
    status: 401,
    control: 'account_deleted',
    retryable: false,
    message: 'This account was deleted.',
  },
  account_disabled: {
    status: 403,
    control: 'permission_denied',
    retryable: false,
    message: 'An administrator has disabled this account, and can enable it again.',
  },
  password_sign_in_disabled: {
    status: 403,
    retryable: false,
    message: 'People sign in at the identity provider here, not with a password.',
  },
  sign_in_expired: {
    status: 400,
    retryable: false,
    message: 'This sign-in has expired, or was started in another tab or browser; start it again.',
  },
  sign_in_cancelled: {
    status: 403,
    retryable: false,
    message: 'The identity provider did not sign you in.',
  },
  sign_up_not_allowed: {
    status: 403,
    retryable: false,
    message: 'You have no account on this server; its operator creates accounts.',
  },
  identity_taken: {
    status: 409,
    retryable: false,
    message: 'This account at the identity provider belongs to another user, or you have linked another one.',
  },
  identity_provider_unavailable: {
    status: 503,
    retryable: true,
    retryAfterSeconds: 5,
    message: 'The identity provider does not answer as it should; try again later.',
  },
  permission_denied: {
    status: 403,
    control: 'permission_denied',
    retryable: false,
    message: 'You do not have permission to do that.',
  },
  guests_not_allowed: {
    status: 403,
    control: 'permission_denied',
    retryable: false,
    message: 'This server does not admit guests.',
  },

  // Accounts and invitations
  wrong_password: { status: 403, retryable: false, message: 'The current password is wrong.' },
  no_password: {
    status: 409,
    retryable: false,
    message: 'This account has no password; it signs in another way.',
  },
  sign_in_not_found: { status: 404, retryable: false, message: 'There is no such sign-in.' },
  invitation_invalid: {
    status: 404,
    retryable: false,
    message: 'This invitation is not valid: it was used, or replaced by a newer one; ask for a new one.',
  },
  invitation_expired: {
    status: 410,
    retryable: false,
    message: 'This invitation has expired; ask for a new one.',
  },

  // Links and rooms of partners
  link_invalid: {
    status: 401,
    control: 'permission_denied',
    retryable: false,
    message: 'This link is not valid; check that it is complete, or ask for a new one.',
  },
  link_rotated: {
    status: 403,
    control: 'permission_denied',
    retryable: false,
    message: 'This link was replaced by a newer one; use that one.',
  },
  no_participant_account: {
    status: 400,
    retryable: false,
    message: 'This link does not identify a person; join as a guest instead.',
  },
  plain_link_closed: {
    status: 403,
    control: 'permission_denied',
    retryable: false,
    message: 'This room accepts personal links only; ask for yours.',
  },
  room_closed: {
    status: 403,
    control: 'permission_denied',
    retryable: false,
    message: 'This room is closed.',
  },
  room_cancelled: {
    status: 403,
    control: 'permission_denied',
    retryable: false,
    message: 'This room was cancelled.',
  },
  room_not_open: {
    status: 403,
    control: 'permission_denied',
    retryable: false,
    message: 'This room is not open yet; try again later.',
  },
  room_not_found: { status: 404, retryable: false, message: 'There is no such room.' },
  calendar_not_found: { status: 404, retryable: false, message: 'There is no such calendar.' },
  room_has_no_time: { status: 409, retryable: false, message: 'The room has no starts_at; set it first.' },
  room_not_live: {
    status: 409,
    retryable: false,
    message: 'Nobody is in the room: no session is open. Try again when somebody has joined.',
  },
  person_not_found: { status: 404, retryable: false, message: 'There is no such person in the room.' },
  participant_not_found: { status: 404, retryable: false, message: 'There is no such participant inside.' },
  too_many_people: {
    status: 409,
    retryable: false,
    message: 'A room has at most 500 people; remove one first.',
  },
  recording_off: {
    status: 409,
    retryable: false,
    message: 'The room is set not to be recorded; change recording.mode first.',
  },
  chat_off: { status: 409, retryable: false, message: 'The room has no chat; change features.chat first.' },

  // Conferences, records and files
  conference_not_found: {
    status: 404,
    control: 'invalid_argument',
    retryable: false,
    message: 'There is no such conference.',
  },
  recording_not_found: { status: 404, retryable: false, message: 'There is no such recording.' },
  transcript_not_found: { status: 404, retryable: false, message: 'There is no such transcript.' },
  blob_not_found: {
    status: 404,
    control: 'invalid_argument',
    retryable: false,
    message: 'There is no such file.',
  },
  conversion_unavailable: {
    status: 503,
    httpCode: 'temporarily_unavailable',
    retryable: true,
    retryAfterSeconds: 10,
    message: 'This server cannot convert slides and images at the moment; try again later.',
  },
  file_infected: {
    status: 422,
    retryable: false,
    message: 'A virus was found in this file. It was removed from the server.',
  },
  // Not 503: clients would send the last bytes again, and the file is gone.
  scan_unavailable: {
    status: 424,
    retryable: false,
    message:
      'Files cannot be checked for viruses at the moment, so they are not accepted; upload it again later.',
  },
  file_quota_exceeded: {
    status: 409,
    retryable: false,
    message: 'There is no space for more files here; remove one first.',
  },
  upload_conflict: {
    status: 409,
    retryable: false,
    message: 'Upload-Offset does not match the upload; get the current offset with HEAD.',
  },

  // Administration
  user_not_found: { status: 404, retryable: false, message: 'There is no such user.' },
  login_taken: { status: 409, retryable: false, message: 'This login is already taken; choose another one.' },
  last_administrator: {
    status: 409,
    retryable: false,
    message: 'This is the last administrator; give another user the capability admin first.',
  },
  partner_module_disabled: {
    status: 409,
    retryable: false,
    message: 'The partner module is disabled: set [Integration] Enabled = 1.',
  },
  service_account_not_found: { status: 404, retryable: false, message: 'There is no such service account.' },
  service_account_exists: {
    status: 409,
    retryable: false,
    message: 'This service account already exists; choose another name.',
  },
  session_not_found: { status: 404, retryable: false, message: 'There is no such live session.' },
  job_not_found: { status: 404, retryable: false, message: 'There is no such job.' },
  job_ended: { status: 409, retryable: false, message: 'This job has ended already.' },
  delivery_not_found: { status: 404, retryable: false, message: 'There is no such delivery.' },
  delivery_not_replayable: {
    status: 409,
    retryable: false,
    message:
      'The delivery is being sent, or its webhook is disabled; wait for the result, or enable the webhook first.',
  },
  webhook_not_configured: {
    status: 409,
    retryable: false,
    message: 'There is no webhook: set its url and secret first.',
  },
  webhook_disabled: {
    status: 409,
    retryable: false,
    message: 'The webhook or its service account is disabled; enable it first.',
  },
  endpoint_not_found: { status: 404, retryable: false, message: 'There is no such endpoint.' },
  endpoint_disabled: { status: 409, retryable: false, message: 'The endpoint is disabled; enable it first.' },
  too_many_owners: {
    status: 409,
    retryable: false,
    message: 'A technical user has at most 20 owners; remove one first.',
  },
  too_many_endpoints: {
    status: 409,
    retryable: false,
    message: 'A service account has at most 20 endpoints; delete one first.',
  },
  idempotency_key_reused: {
    status: 422,
    retryable: false,
    message: 'The Idempotency-Key was used for another request; use a new key for each action.',
  },
  idempotency_key_in_use: {
    status: 409,
    retryable: false,
    message: 'A request with this Idempotency-Key is still being handled; try again in a moment.',
  },
  rotation_in_progress: {
    status: 409,
    retryable: false,
    message: 'The secret is being replaced already: finish that, or wait until the previous one expires.',
  },

  // Limits and failures
  rate_limited: {
    status: 429,
    control: 'rate_limited',
    retryable: true,
    message: 'Too many requests; try again later.',
  },
  too_many_connections: {
    status: 429,
    control: 'rate_limited',
    retryable: true,
    retryAfterSeconds: 5,
    message: 'Too many connections; close some, or try again later.',
  },
  server_full: {
    status: 503,
    control: 'temporarily_unavailable',
    retryable: true,
    retryAfterSeconds: 5,
    message: 'The server has reached its connection limit; try again later.',
  },
  internal: {
    status: 500,
    retryable: true,
    message:
      'Something went wrong on the server; try again later. Its log has the X-Request-Id of this response.',
  },
  not_configured: {
    status: 503,
    retryable: true,
    message: 'The server is not configured for this; its operator can change that. Try again later.',
  },
  temporarily_unavailable: {
    status: 503,
    control: 'temporarily_unavailable',
    retryable: true,
    retryAfterSeconds: 2,
    message: 'The server cannot do this right now; try again.',
  },
  elsewhere: {
    status: 503,
    httpCode: 'temporarily_unavailable',
    control: 'temporarily_unavailable',
    retryable: true,
    retryAfterSeconds: 1,
    message: 'Another server runs this conference; connect again with the subprotocol room.<tag>.',
  },
  insufficient_storage: {
    status: 507,
    retryable: true,
    retryAfterSeconds: 5,
    message: 'The server does not have enough disk space; try again later.',
  },

  // Frames and commands of the control channel
  protocol_unsupported: {
    control: 'protocol_unsupported',
    retryable: false,
    message: 'The offer and this server have no version or profile in common.',
  },
  unknown_command: {
    control: 'unsupported_feature',
    reason: null,
    retryable: false,
    message: 'There is no such command.',
  },
  invalid_command: {
    control: 'invalid_argument',
    reason: null,
    retryable: false,
    message: 'The target or the body of the command is invalid.',
  },
  invalid_media_offer: {
    control: 'invalid_argument',
    reason: null,
    retryable: false,
    message: 'The body is not a valid offer to publish.',
  },
  unsupported_media_format: {
    control: 'unsupported_feature',
    reason: null,
    retryable: false,
    message: 'Media must be negotiated in the format in which the endpoint was opened.',
  },
  stale_media_offer: {
    control: 'stale_binding',
    reason: null,
    retryable: false,
    message: 'This offer belongs to another incarnation of the connection.',
  },
  media_of_another_participant: {
    control: 'permission_denied',
    reason: null,
    retryable: false,
    message: 'This media belongs to another participant.',
  },
  too_many_answers: {
    control: 'rate_limited',
    retryable: true,
    message: 'This account requested too much data in a short time; wait a moment.',
  },
  too_many_commands: {
    control: 'rate_limited',
    retryable: true,
    message: 'This account sent too many commands in a short time; wait a moment.',
  },
  too_many_notifications: {
    control: 'rate_limited',
    retryable: true,
    message: 'This account notified too many people in a short time; wait a moment.',
  },
  too_many_commands_in_flight: {
    control: 'resource_exhausted',
    reason: null,
    retryable: false,
    message: 'Too many commands are in flight; wait for some of their results.',
  },
  results_full: {
    control: 'temporarily_unavailable',
    reason: null,
    retryable: true,
    message: 'The server cannot store more command results right now; try again.',
  },
  outcome_unknown: {
    control: 'outcome_unknown',
    reason: null,
    retryable: true,
    message: 'Something went wrong on the server; repeat the command with the same command_id.',
  },
  too_late: {
    control: 'deadline_exceeded',
    retryable: false,
    message: 'The command expired before it was executed.',
  },
  other_version: {
    control: 'version_conflict',
    retryable: false,
    message: 'The version of the session or the call is not the expected one; get the present one first.',
  },
  no_version: {
    control: 'version_conflict',
    retryable: false,
    message: 'The target has no version to expect.',
  },
  other_message: {
    control: 'idempotency_conflict',
    retryable: false,
    message: 'This command_id was already used for another message; use a new one for each message.',
  },

  // Membership of a conference
  not_inside: {
    control: 'permission_denied',
    retryable: false,
    message: 'You are not in this conference.',
  },
  other_place: {
    control: 'permission_denied',
    retryable: false,
    message: 'This connection is another participant in that session.',
  },
  session_over: { control: 'permission_denied', retryable: false, message: 'The session is over.' },
  session_just_ended: {
    control: 'temporarily_unavailable',
    reason: null,
    retryable: true,
    message: 'The session has just ended; try again.',
  },
  not_moderator: {
    control: 'permission_denied',
    retryable: false,
    message: 'Only a moderator may do that.',
  },
  not_yours: {
    control: 'permission_denied',
    retryable: false,
    message: 'You may not change what belongs to another participant.',
  },
  full: {
    control: 'resource_exhausted',
    retryable: false,
    message: 'This conference is full; try again when somebody has left.',
  },
  too_many_conferences: {
    control: 'resource_exhausted',
    reason: null,
    retryable: false,
    message: 'This connection is in too many conferences; leave one first.',
  },
  too_many_devices: {
    control: 'resource_exhausted',
    retryable: false,
    message: 'You have joined this conference on too many devices; leave it on one of them.',
  },
  no_such_participant: {
    control: 'invalid_argument',
    retryable: false,
    message: 'There is no such participant.',
  },
  removed: {
    control: 'permission_denied',
    retryable: false,
    message: 'You were removed from this conference; a moderator can readmit you.',
  },
  not_removable: {
    control: 'permission_denied',
    retryable: false,
    message: 'You cannot remove a moderator or yourself.',
  },
  removed_list_full: {
    control: 'resource_exhausted',
    retryable: false,
    message: 'Too many people have been removed from this conference; readmit one, or lock the conference.',
  },

  // Lobby
  approval: { control: 'permission_denied', retryable: false, message: 'A moderator must admit you.' },
  locked: {
    control: 'permission_denied',
    retryable: false,
    message: 'This conference is locked; a moderator can unlock it.',
  },
  not_started: {
    control: 'permission_denied',
    retryable: false,
    message: 'A moderator ended the session; only a moderator can start a new one.',
  },
  denied: {
    control: 'permission_denied',
    retryable: false,
    message: 'A moderator did not admit you; try again later.',
  },
  lobby_full: {
    control: 'resource_exhausted',
    retryable: false,
    message: 'The lobby of this conference is full; try again later.',
  },
  too_many_waits: {
    control: 'resource_exhausted',
    retryable: false,
    message: 'This connection is waiting for too many conferences; leave the lobby of one first.',
  },
  too_many_admission_requests: {
    control: 'rate_limited',
    reason: null,
    retryable: true,
    message: 'Too many requests for admission; wait a moment.',
  },

  // Moderation
  not_permitted: {
    control: 'permission_denied',
    retryable: false,
    message: 'A moderator does not permit this right now.',
  },
  too_many_person_permissions: {
    control: 'resource_exhausted',
    retryable: false,
    message: 'Too many people of this session have permissions of their own; remove some first.',
  },

  // Chat
  read_only: {
    control: 'permission_denied',
    retryable: false,
    message: 'Only moderators may send messages right now.',
  },
  files_not_permitted: {
    control: 'permission_denied',
    retryable: false,
    message: 'You may not send files here right now.',
  },
  no_such_file: {
    control: 'invalid_argument',
    retryable: false,
    message: 'The file was not uploaded for this chat, or has been sent before; upload it again.',
  },
  blank: { control: 'invalid_argument', retryable: false, message: 'The text must not be blank.' },
  no_such_message: {
    control: 'invalid_argument',
    retryable: false,
    message: 'There is no such message.',
  },
  too_many_messages: {
    control: 'rate_limited',
    retryable: true,
    message: 'You are sending messages too fast; wait a moment.',
  },
  chat_busy: {
    control: 'rate_limited',
    retryable: true,
    message: 'This chat is getting too many messages; wait a moment.',
  },

  // The board
  board_off: {
    control: 'unsupported_feature',
    retryable: false,
    message: 'This conference has no board.',
  },
  no_such_page: {
    control: 'invalid_argument',
    retryable: false,
    message: 'This page does not exist; it may have been removed.',
  },
  page_private: {
    control: 'permission_denied',
    retryable: false,
    message: 'This page is a private copy.',
  },
  looking_around_not_permitted: {
    control: 'permission_denied',
    retryable: false,
    message: 'You may watch the shown page only; a moderator decides that.',
  },
  drawing_not_permitted: {
    control: 'permission_denied',
    retryable: false,
    message: 'You may not draw here; a moderator decides who may.',
  },
  not_your_element: {
    control: 'permission_denied',
    retryable: false,
    message: 'Somebody else has created this; you may change only what is your own.',
  },
  element_changed: {
    control: 'version_conflict',
    retryable: false,
    message: 'Somebody else has changed this element first.',
  },
  version_too_high: {
    control: 'invalid_argument',
    retryable: false,
    message: 'The version is too far above the present one.',
  },
  invalid_points: {
    control: 'invalid_argument',
    retryable: false,
    message: 'Each point needs x, y and pressure.',
  },
  unknown_file: {
    control: 'invalid_argument',
    retryable: false,
    message: 'This file does not exist in the conference; upload it again.',
  },
  element_too_large: {
    control: 'resource_exhausted',
    retryable: false,
    message: 'This is too large for one element; draw it in several parts.',
  },
  page_full: {
    control: 'resource_exhausted',
    retryable: false,
    message: 'This page is full; erase something, or continue on another page.',
  },
  deck_full: {
    control: 'resource_exhausted',
    retryable: false,
    message: 'The board is full; remove pages that are no longer needed.',
  },
  last_page: {
    control: 'invalid_argument',
    retryable: false,
    message: 'The last page cannot be removed; clear it instead.',
  },
  too_many_watched_pages: {
    control: 'resource_exhausted',
    retryable: false,
    message: 'This connection watches too many pages; close one first.',
  },
  too_much_drawing: {
    control: 'rate_limited',
    retryable: true,
    message: 'You are changing the board too fast; wait a moment.',
  },
  board_busy: {
    control: 'temporarily_unavailable',
    retryable: true,
    message: 'The server has too many pages open; try again later.',
  },

  // Calls
  not_callable: {
    control: 'permission_denied',
    retryable: false,
    message: 'You can call only your contacts.',
  },
  call_not_found: { control: 'permission_denied', retryable: false, message: 'You have no such call.' },
  call_over: { control: 'permission_denied', retryable: false, message: 'This call is over.' },
  answered_elsewhere: {
    control: 'permission_denied',
    retryable: false,
    message: 'You have answered this call on another device.',
  },
  too_many_calls: {
    control: 'resource_exhausted',
    retryable: false,
    message: 'You have too many open calls; end one first.',
  },
  too_many_invitations: {
    control: 'rate_limited',
    retryable: true,
    message: 'You are calling people too fast; wait a moment.',
  },

  // Push notifications
  push_disabled: {
    control: 'unsupported_feature',
    retryable: false,
    message: 'This server sends no push notifications.',
  },

  // Conversations and contacts
  accounts_only: {
    control: 'permission_denied',
    retryable: false,
    message: 'Only users with an account can do that.',
  },
  no_such_conversation: {
    control: 'invalid_argument',
    retryable: false,
    message: 'There is no such conversation.',
  },
  not_a_member: {
    status: 403,
    httpCode: 'permission_denied',
    control: 'permission_denied',
    retryable: false,
    message: 'You are not a member of this conversation.',
  },
  not_your_message: {
    control: 'permission_denied',
    retryable: false,
    message: 'You can change only your own messages.',
  },
  too_old: {
    control: 'permission_denied',
    retryable: false,
    message: 'A message can be changed for 24 hours only.',
  },
  not_reachable: {
    status: 404,
    httpCode: 'not_found',
    control: 'permission_denied',
    retryable: false,
    message: 'There is no such person, or this person cannot be reached.',
  },
  blocked_by_you: {
    control: 'permission_denied',
    retryable: false,
    message: 'You have blocked this person; lift the block first.',
  },
  request_pending: {
    control: 'permission_denied',
    retryable: false,
    message: 'This person has not accepted your request yet.',
  },
  no_such_contact: {
    control: 'invalid_argument',
    retryable: false,
    message: 'This person is not one of your contacts.',
  },
  too_many_requests: {
    control: 'resource_exhausted',
    retryable: false,
    message: 'Too many of your contact requests are waiting for an answer.',
  },
  too_many_contacts: {
    control: 'resource_exhausted',
    retryable: false,
    message: 'You have too many contacts; remove one first.',
  },
  too_many_mutes: {
    control: 'resource_exhausted',
    retryable: false,
    message: 'You have muted too many conversations; unmute one first.',
  },
  too_many_members: {
    status: 409,
    retryable: false,
    message: 'This conference has too many members; remove one first.',
  },
  too_many_contact_requests: {
    control: 'rate_limited',
    retryable: true,
    message: 'You are asking too many people in a short time; wait a moment.',
  },

  // Recording, transcription and the jobs of workers
  records_itself: {
    control: 'permission_denied',
    retryable: false,
    message: 'This conference is recorded automatically.',
  },
  administrator_only: {
    control: 'permission_denied',
    retryable: false,
    message: 'Only an administrator may do that.',
  },
  transcription_unavailable: {
    status: 503,
    httpCode: 'temporarily_unavailable',
    control: 'temporarily_unavailable',
    retryable: true,
    retryAfterSeconds: 2,
    message: 'No transcriber is available on this server right now; try again later.',
  },
  language_unavailable: {
    status: 409,
    control: 'unsupported_feature',
    retryable: false,
    message:
      'No transcriber of this server recognises this language; choose one of transcription_languages in server_info.',
  },
  unknown_job_kind: {
    control: 'invalid_argument',
    reason: null,
    retryable: false,
    message: 'There are no jobs of this kind.',
  },
  not_capable: {
    control: 'permission_denied',
    reason: null,
    retryable: false,
    message: 'This account does not have the capability for this job; an administrator can give it.',
  },
  not_held: {
    control: 'permission_denied',
    retryable: false,
    message: 'This worker does not hold that job.',
  },
  not_observing: {
    control: 'permission_denied',
    retryable: false,
    message: 'Only a worker that observes the session for a job may do that.',
  },

  // Media
  media_no_session: {
    control: 'permission_denied',
    reason: 'no_session',
    retryable: false,
    message: 'This session has no media.',
  },
  media_gone: {
    control: 'temporarily_unavailable',
    reason: 'gone',
    retryable: true,
    message: 'This endpoint no longer exists; open a new one.',
  },
  media_superseded: {
    control: 'invalid_argument',
    reason: 'superseded',
    retryable: false,
    message: 'A later media.open of this participant replaced this one.',
  },
  media_no_worker: {
    control: 'temporarily_unavailable',
    reason: 'no_worker',
    retryable: true,
    message: 'No media worker is ready; try again.',
  },
  media_no_descriptors: {
    control: 'temporarily_unavailable',
    reason: 'no_descriptors',
    retryable: true,
    message: 'The media worker has no file descriptors left; try again.',
  },
  media_busy: {
    control: 'temporarily_unavailable',
    reason: 'busy',
    retryable: true,
    message: 'This publication is still being opened; try again.',
  },
  media_not_yours: {
    control: 'invalid_argument',
    reason: 'not_yours',
    retryable: false,
    message: 'You have no such publication.',
  },
  media_no_publication: {
    control: 'invalid_argument',
    reason: 'no_publication',
    retryable: false,
    message: 'There is no such publication.',
  },
  media_id_taken: {
    control: 'invalid_argument',
    reason: 'id_taken',
    retryable: false,
    message: 'This publication_id belongs to another publication; choose another one.',
  },
  media_wrong_scope: {
    control: 'invalid_argument',
    reason: 'wrong_scope',
    retryable: false,
    message: 'The scope does not match the source.',
  },
  media_malformed: {
    control: 'invalid_argument',
    reason: 'malformed',
    retryable: false,
    message: 'The media parameters are invalid.',
  },
  media_unsupported: {
    control: 'unsupported_feature',
    reason: 'unsupported',
    retryable: false,
    message: 'This server does not support that codec or mode.',
  },
  media_srtp_required: {
    control: 'invalid_argument',
    reason: 'srtp_required',
    retryable: false,
    message: 'RTP to another machine must be encrypted with SRTP.',
  },
  media_too_many_numberings: {
    control: 'temporarily_unavailable',
    reason: 'too_many_numberings',
    retryable: true,
    message:
      'The participants of this session receive in too many different payload types; try again when some have left.',
  },
  media_too_many: {
    control: 'resource_exhausted',
    reason: 'too_many',
    retryable: false,
    message: 'You have too many publications; close one first.',
  },
} as const satisfies Record<string, CatalogueEntry>

/** The key of an entry of the catalogue. */
export type ErrorCode = keyof typeof errors

export const errorOf = (code: ErrorCode): CatalogueEntry => errors[code]
