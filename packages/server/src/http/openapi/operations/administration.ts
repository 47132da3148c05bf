import type { ErrorCode } from '@lectern/protocol'
import type { Operation } from './operation.ts'

/** Operations of the administration, whose audit log must accept the record first. */
const about = <const Errors extends readonly ErrorCode[]>(
  summary: string,
  description: string,
  errors: Errors,
  more: Pick<Operation, 'request' | 'response'> = {},
) => ({ tag: 'Administration' as const, summary, description, errors, ...more })

const partner = 'partner_module_disabled'
const lastPage = { response: { next: null } }

/** Below `/api/v1.0/admin` (docs/http-api.md). */
export const administrationOperations = {
  adminListUsers: about('List users', 'All accounts, newest first, in pages.', [], lastPage),
  adminCreateUser: about(
    'Create a user',
    'With `invite` the response has a link with which the person sets the password; without it and without `password` it has a generated password. Both are shown only here.',
    ['login_taken'],
    { response: { password: null } },
  ),
  adminGetUser: about('Get a user', 'An account, with the number of its valid sign-ins.', ['user_not_found']),
  adminUpdateUser: about(
    'Change a user',
    'A new password and `disabled: true` end all sign-ins. The last administrator keeps the capability admin.',
    ['user_not_found', 'last_administrator'],
  ),
  adminInviteUser: about(
    'Invite a user to set a password',
    'Returns a new link, shown only here; earlier links of the account are not valid any more.',
    ['user_not_found'],
  ),
  adminDeleteUser: about('Delete a user', 'Deletes the account for good; its login stays reserved.', [
    'user_not_found',
    'last_administrator',
  ]),
  adminEndSignIns: about('End all sign-ins of a user', 'Takes effect at once.', ['user_not_found']),
  adminListServiceAccounts: about(
    'List service accounts',
    'In the order of their names, in pages.',
    [partner],
    lastPage,
  ),
  adminCreateServiceAccount: about(
    'Create a service account',
    'The `client_secret` is shown only here; the server stores a hash. `create_user` creates the technical user, too.',
    ['service_account_exists', 'login_taken', 'user_not_found', partner],
  ),
  adminGetServiceAccount: about('Get a service account', 'An account of a partner backend.', [
    'service_account_not_found',
    partner,
  ]),
  adminUpdateServiceAccount: about(
    'Change a service account',
    'Enables or disables it, or replaces its scopes.',
    ['service_account_not_found', partner],
  ),
  adminListServiceAccountRooms: about(
    'List the rooms of a service account',
    'The rooms of its technical user, newest first, in pages.',
    ['service_account_not_found', partner],
    lastPage,
  ),
  adminListServiceAccountDeliveries: about(
    'List the webhook deliveries of a service account',
    'Newest first, in pages, without contents.',
    ['service_account_not_found', partner],
    lastPage,
  ),
  adminGetServiceAccountWebhook: about(
    'Get the webhook of a service account',
    'Its settings; `url` without its path, which may contain a secret.',
    ['service_account_not_found', partner],
    { response: { url: 'https://partner.example/***' } },
  ),
  adminDeleteServiceAccountWebhook: about(
    'Remove the webhook of a service account',
    'Removes it with its secrets, and cancels its pending deliveries.',
    ['service_account_not_found', partner],
    {
      response: {
        configured: false,
        url: null,
        events: [],
        enabled: false,
        secret_configured: false,
        previous_secret_expires_at: null,
      },
    },
  ),
  adminSendTestEvent: about(
    'Send a test event to a service account',
    'Sends an event of the type `webhook.test`, and returns its delivery.',
    ['service_account_not_found', 'webhook_not_configured', 'webhook_disabled', partner],
    {
      response: {
        event: 'webhook.test',
        subject: 'test:5f0c2e7d9b31a846',
        status: 'pending',
        attempts: 0,
        response_status: null,
      },
    },
  ),
  adminRotateWebhookSecret: about(
    'Replace the webhook secret of a service account',
    'The server generates the new secret, which is shown only here. Until the end of the overlap both sign.',
    ['service_account_not_found', 'webhook_not_configured', 'rotation_in_progress', partner],
    { response: { url: 'https://partner.example/***' } },
  ),
  adminFinishWebhookRotation: about(
    'End the overlap of webhook secrets',
    'From now on the previous secret signs nothing.',
    ['service_account_not_found', 'webhook_not_configured', partner],
    { response: { url: 'https://partner.example/***', previous_secret_expires_at: null } },
  ),
  adminListRooms: about(
    'List rooms',
    'The rooms of all partners, newest first, in pages.',
    [partner],
    lastPage,
  ),
  adminGetRoom: about('Get a room', 'A room of any partner, without its links.', ['room_not_found', partner]),
  adminCloseRoom: about(
    'Close a room',
    'As the partner closes it. Ends a running call.',
    ['room_not_found', partner],
    {
      response: { status: 'closed', live: false },
    },
  ),
  adminCancelRoom: about(
    'Cancel a room',
    'As the partner cancels it. Ends a running call.',
    ['room_not_found', partner],
    {
      response: { status: 'cancelled', live: false },
    },
  ),
  adminListSessions: about(
    'List live sessions',
    'Newest first, in pages; in a cluster of all servers.',
    [],
    lastPage,
  ),
  adminGetSession: about('Get a live session with its participants', 'At most 1,000 participants.', [
    'session_not_found',
  ]),
  adminEndSession: about('End a live session', 'Ends it for everybody, as a moderator does.', [
    'session_not_found',
  ]),
  adminListJobs: about(
    'List jobs',
    'Jobs of recorders and transcribers, newest first, in pages.',
    [],
    lastPage,
  ),
  adminGetJob: about('Get a job', 'A job of a recorder or transcriber.', ['job_not_found']),
  adminCancelJob: about(
    'Cancel a job',
    'Cancels a queued job; requests the worker of a leased one to finish, which keeps what it has.',
    ['job_not_found', 'job_ended'],
    { response: { stop_requested: true } },
  ),
  adminListRecordings: about(
    'List recordings',
    'Recordings of all conferences, newest first, in pages.',
    [],
    lastPage,
  ),
  adminGetRecording: about('Get a recording', 'A recording of any conference, without its files.', [
    'recording_not_found',
  ]),
  adminDeleteRecording: about(
    'Delete a recording',
    'Deletes it with its files and transcripts, for good, whoever owns it.',
    ['recording_not_found'],
  ),
  adminListTranscripts: about('List transcripts', 'Last stored first, in pages, without text.', [], lastPage),
  adminGetTranscript: about('Get a transcript', 'A transcript with its text. Reading it is audited.', [
    'transcript_not_found',
  ]),
  adminControlTranscription: about(
    'Start or stop a transcription',
    'In a conference with an open session.',
    ['conference_not_found', 'transcription_unavailable', 'language_unavailable'],
    { request: { action: 'start', language: 'en' } },
  ),
  adminListDeliveries: about(
    'List webhook deliveries',
    'Deliveries to all partners, newest first, in pages, without contents.',
    [partner],
    lastPage,
  ),
  adminGetDelivery: about(
    'Get a webhook delivery with its attempts',
    'Its content is confidential to the partner and never shown.',
    ['delivery_not_found', partner],
  ),
  adminReplayDelivery: about(
    'Send a webhook delivery again',
    'With the same id and content, and all attempts.',
    ['delivery_not_found', 'delivery_not_replayable', partner],
    { response: { status: 'pending', attempts: 0, response_status: null } },
  ),
  adminGetPushQueue: about(
    'Get the push queue',
    'Notifications that were not delivered yet, without texts.',
    [],
  ),
  adminGetHealth: about(
    'Get the health of the server and its workers',
    'In a cluster also of the other servers and of the media nodes.',
    [],
  ),
  adminGetStorage: about(
    'Get disk space',
    'Of the disks of this server, and what files and databases occupy.',
    [],
  ),
  adminGetSamples: about(
    'Get the charts of the last day',
    'One sample a minute, in columns of equal length.',
    [],
  ),
  adminListAuditRecords: about(
    'Read the audit log',
    'Newest first, in pages. Nothing changes or removes its records.',
    [],
    {
      response: { next: null },
    },
  ),
} as const satisfies Record<string, Operation>
