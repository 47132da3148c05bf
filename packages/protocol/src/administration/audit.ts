import { type Static, Type } from 'typebox'
import { Next, PageQuery, Search } from '../paging.ts'
import { Nullable, Result } from '../schema.ts'

/** Every administrative action, with the kind of its target. Names in the audit log never change. */
export const AUDIT_ACTIONS = {
  'user.create': 'user',
  'user.change': 'user',
  'user.delete': 'user',
  'user.end_sign_ins': 'user',
  'user.invite': 'user',
  'service_account.create': 'service_account',
  'service_account.change': 'service_account',
  'service_account.rotate': 'service_account',
  'service_account.finish_rotation': 'service_account',
  'service_account.add_owner': 'service_account',
  'service_account.remove_owner': 'service_account',
  'service_account.delete': 'service_account',
  'service_account.issue_token': 'service_account',
  'room.close': 'conference',
  'room.cancel': 'conference',
  'session.end': 'session',
  'transcription.start': 'conference',
  'transcription.stop': 'conference',
  'transcript.read': 'job',
  'job.cancel': 'job',
  'recording.delete': 'job',
  'webhook_delivery.replay': 'webhook_delivery',
  'endpoint.create': 'endpoint',
  'endpoint.change': 'endpoint',
  'endpoint.delete': 'endpoint',
  'endpoint.rotate': 'endpoint',
  'endpoint.test': 'endpoint',
  'endpoint.replay': 'endpoint',
  'endpoint.disable': 'endpoint',
  'lti_platform.invite': 'service_account',
  'lti_platform.delete': 'lti_platform',
  'webhook.test': 'service_account',
  'webhook.rotate': 'service_account',
  'webhook.finish_rotation': 'service_account',
  'webhook.delete': 'service_account',
  'push.test': 'user',
  'push_subscription.delete': 'user',
  'backup.create': 'folder',
  'backup.restore': 'folder',
} as const
export type AuditAction = keyof typeof AUDIT_ACTIONS
export type AuditTargetKind = (typeof AUDIT_ACTIONS)[AuditAction]

export const AUDIT_OUTCOMES = ['started', 'done', 'refused', 'failed'] as const
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number]

/** Rows of the audit log are kept this long. */
export const AUDIT_RETENTION_DAYS = 730

export const AuditRecord = Type.Object({
  id: Type.String(),
  at_ms: Type.Integer({ description: 'Unix milliseconds, when the action started.' }),
  actor_kind: Type.Enum(['user', 'command_line']),
  actor_user_id: Nullable(Type.Integer()),
  actor: Type.String({ description: 'The login of the user, or the user of the operating system.' }),
  address: Nullable(Type.String({ description: 'The client address of a request.' })),
  action: Type.String({ description: 'E.g. `user.create`.' }),
  target_kind: Type.String(),
  target: Type.String({ description: 'The id, login or name of what was changed; may be empty.' }),
  details: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The request, without secrets.',
  }),
  outcome: Type.Enum(AUDIT_OUTCOMES, {
    description: '`started`: the server stopped before the outcome was known, or could not store it.',
  }),
  code: Nullable(Type.String({ description: 'The error code of an action that was refused or failed.' })),
})
export type AuditRecord = Static<typeof AuditRecord>

export const AuditQuery = Type.Object({
  ...PageQuery,
  search: Search('the actor, the target or the address'),
  user: Type.Optional(
    Type.String({
      description: 'A login: what this user did, and what was done to it.',
      maxLength: 64,
      format: 'text',
    }),
  ),
  action: Type.Optional(Type.Enum(Object.keys(AUDIT_ACTIONS))),
  outcome: Type.Optional(Type.Enum(AUDIT_OUTCOMES)),
})

export const AuditListResponse = Type.Object({
  result: Result,
  records: Type.Array(AuditRecord, { description: 'Newest first.' }),
  next: Next,
})
export type AuditListResponse = Static<typeof AuditListResponse>
