import type { AuditRules } from '../audit/audited.ts'
import type { LtiAdminService } from './lti.ts'
import type { PushAdminService } from './push.ts'
import type { ServiceAccountAdminService } from './service-accounts.ts'
import type { TranscriptAdminService } from './transcripts.ts'
import { parsePeople } from './user-import.ts'
import type { UserCommands, UserRef, UserSettings } from './users.ts'
import type { WebhookAdminService } from './webhooks.ts'

/** The settings of a user as the audit log shows them. Passwords and mail addresses are named, never shown. */
const settingsOf = ({ name, capabilities, email, disabled, password }: UserSettings) => ({
  ...(name !== undefined && { display_name: name }),
  ...(capabilities && { capabilities }),
  ...(disabled !== undefined && { disabled }),
  ...(email !== undefined && { email: email === '' ? 'removed' : 'set' }),
  ...(password !== undefined && { password: 'set' }),
})

const targetOf = (ref: UserRef) => String(ref).toLowerCase()

export const userRules: AuditRules<UserCommands> = {
  add: (login, { kind = 'ordinary', ...settings }) => ({
    action: 'user.create',
    target: login.toLowerCase(),
    details: { kind, ...settingsOf(settings) },
  }),
  invite: (ref, settings = {}) => ({
    action: 'user.invite',
    target: targetOf(ref),
    details: settingsOf(settings),
  }),
  importPeople: text => {
    const logins = parsePeople(text).people.map(({ login }) => login)
    return {
      action: 'user.create',
      target: `${logins.length} accounts`,
      details: { kind: 'ordinary', logins },
    }
  },
  checkImport: 'read',
  set: (ref, settings) => ({
    action: 'user.change',
    target: targetOf(ref),
    details: settingsOf(settings),
  }),
  remove: ref => ({ action: 'user.delete', target: targetOf(ref), details: {} }),
  list: 'read',
  find: 'read',
}

export const serviceAccountRules: AuditRules<ServiceAccountAdminService> = {
  add: (name, login, scopes) => ({
    action: 'service_account.create',
    target: name,
    details: { login, scopes },
  }),
  set: (name, { enabled, scopes, keepDays }) => ({
    action: 'service_account.change',
    target: name,
    details: {
      ...(enabled !== undefined && { enabled }),
      ...(scopes && { scopes }),
      ...(keepDays !== undefined && { keep_days: keepDays }),
    },
  }),
  rotate: (name, overlapSeconds) => ({
    action: 'service_account.rotate',
    target: name,
    details: overlapSeconds === undefined ? {} : { overlap_seconds: overlapSeconds },
  }),
  replaceSecret: name => ({
    action: 'service_account.rotate',
    target: name,
    details: { overlap_seconds: 0 },
  }),
  finishRotation: name => ({ action: 'service_account.finish_rotation', target: name, details: {} }),
  previousUntil: 'read',
  addOwner: (name, login) => ({
    action: 'service_account.add_owner',
    target: name,
    details: { owner: login.toLowerCase() },
  }),
  removeOwner: (name, login) => ({
    action: 'service_account.remove_owner',
    target: name,
    details: { owner: login.toLowerCase() },
  }),
  owners: 'read',
  remove: name => ({ action: 'service_account.delete', target: name, details: {} }),
  keepDays: 'read',
  token: name => ({ action: 'service_account.issue_token', target: name, details: {} }),
  find: 'read',
  list: 'read',
}

export const transcriptRules: AuditRules<TranscriptAdminService> = {
  // The text of a transcript is confidential; the list does not contain it.
  find: jobId => ({ action: 'transcript.read', target: jobId, details: {} }),
  list: 'read',
}

export const webhookRules: AuditRules<WebhookAdminService> = {
  replay: id => ({ action: 'webhook_delivery.replay', target: id, details: {} }),
  deliveries: 'read',
}

export const pushRules: AuditRules<PushAdminService> = {
  test: login => ({ action: 'push.test', target: login.toLowerCase(), details: {} }),
  remove: (login, number) => ({
    action: 'push_subscription.delete',
    target: login.toLowerCase(),
    details: number === undefined ? {} : { number },
  }),
  subscriptions: 'read',
  queue: 'read',
}

export const ltiRules: AuditRules<LtiAdminService> = {
  invite: serviceAccount => ({ action: 'lti_platform.invite', target: serviceAccount, details: {} }),
  remove: id => ({ action: 'lti_platform.delete', target: id, details: {} }),
  list: 'read',
}
