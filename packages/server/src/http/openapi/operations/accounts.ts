import type { Operation } from './operation.ts'

const PASSWORD_ERRORS = ['rate_limited', 'temporarily_unavailable', 'not_configured'] as const
const PROVIDER_ERRORS = [
  'not_found',
  'sign_in_expired',
  'sign_in_cancelled',
  'identity_provider_unavailable',
  'rate_limited',
  'not_configured',
] as const
const START_ERRORS = ['not_found', 'identity_provider_unavailable', 'rate_limited', 'not_configured'] as const

/** Accounts of people (docs/http-api.md, docs/single-sign-on.md). */
export const accountOperations = {
  signIn: {
    tag: 'Accounts',
    summary: 'Sign in',
    description:
      'Signs in with login and password. A wrong login and a wrong password are the same refusal. Failures are limited for each account and address, and in total.',
    errors: [
      'invalid_credentials',
      'password_sign_in_disabled',
      'account_deleted',
      'account_disabled',
      ...PASSWORD_ERRORS,
    ],
  },
  refreshTokens: {
    tag: 'Accounts',
    summary: 'Refresh tokens',
    description:
      'Exchanges a refresh token for the next pair of tokens. A refresh token may be used once; send a random `request_id` and repeat it if the response was lost. Any other second use ends the sign-in.',
    errors: ['session_ended', 'account_deleted', 'rate_limited', 'not_configured'],
  },
  signOut: {
    tag: 'Accounts',
    summary: 'Sign out',
    description: 'Ends the sign-in of the refresh token, at once. One that has ended already is no error.',
    errors: ['session_ended', 'rate_limited'],
  },
  createGuest: {
    tag: 'Accounts',
    summary: 'Create a guest account',
    description: 'Creates a guest and signs it in, where the operator admits guests.',
    errors: ['guests_not_allowed', 'rate_limited', 'not_configured'],
    response: {
      user: { user_id: 311, login: 'guest-7f3a9c12', display_name: 'Ben', kind: 'guest', capabilities: [] },
    },
  },
  getMe: {
    tag: 'Accounts',
    summary: 'Get the signed-in user',
    description: 'The account of the access token.',
  },
  updateMe: {
    tag: 'Accounts',
    summary: 'Change your name or language',
    description: 'Changes what the request contains. For accounts with a login of their own.',
    errors: ['permission_denied', 'rate_limited'],
  },
  changePassword: {
    tag: 'Accounts',
    summary: 'Change your password',
    description:
      'Ends all other sign-ins; the one of the request stays. A wrong `current` counts as a failed sign-in.',
    errors: ['wrong_password', 'no_password', 'permission_denied', ...PASSWORD_ERRORS],
  },
  listSignIns: {
    tag: 'Accounts',
    summary: 'List your sign-ins',
    description: 'The newest 100 active sign-ins, last used first.',
    errors: ['permission_denied'],
  },
  endOtherSignIns: {
    tag: 'Accounts',
    summary: 'End your other sign-ins',
    description: 'Ends all sign-ins except the one of the request, and returns their number.',
    errors: ['permission_denied', 'rate_limited'],
  },
  endSignIn: {
    tag: 'Accounts',
    summary: 'End one of your sign-ins',
    description: 'Takes effect at once. One that has ended already is no error.',
    errors: ['sign_in_not_found', 'permission_denied', 'rate_limited'],
  },
  getInvitation: {
    tag: 'Accounts',
    summary: 'Get an invitation',
    description: 'Whom an invitation is for, and whether it replaces a password.',
    errors: [
      'invitation_invalid',
      'invitation_expired',
      'account_disabled',
      'password_sign_in_disabled',
      'rate_limited',
    ],
  },
  acceptInvitation: {
    tag: 'Accounts',
    summary: 'Accept an invitation',
    description: 'Sets the password, ends earlier sign-ins of the account, and signs in. It works once.',
    errors: [
      'invitation_invalid',
      'invitation_expired',
      'account_disabled',
      'password_sign_in_disabled',
      ...PASSWORD_ERRORS,
    ],
  },
  startSso: {
    tag: 'Accounts',
    summary: 'Start a sign-in at the identity provider',
    description:
      'Returns where the browser goes, and the ticket with which the same tab completes the sign-in. Without a provider it is 404.',
    errors: START_ERRORS,
  },
  completeSso: {
    tag: 'Accounts',
    summary: 'Complete a sign-in at the identity provider',
    description: 'Takes the query with which the provider returned, and the ticket of the start.',
    errors: [...PROVIDER_ERRORS, 'account_deleted', 'account_disabled', 'sign_up_not_allowed'],
  },
  listIdentities: {
    tag: 'Accounts',
    summary: 'List your accounts at identity providers',
    description: 'The identities with which you can sign in.',
  },
  startIdentityLink: {
    tag: 'Accounts',
    summary: 'Start to link your account at the identity provider',
    description: 'Like the start of a sign-in, for the signed-in user.',
    errors: START_ERRORS,
  },
  linkIdentity: {
    tag: 'Accounts',
    summary: 'Link your account at the identity provider',
    description: 'From then on you can sign in there. An identity belongs to one account.',
    errors: [...PROVIDER_ERRORS, 'identity_taken'],
  },
  unlinkIdentity: {
    tag: 'Accounts',
    summary: 'Unlink your account at the identity provider',
    description: 'Needs an account that has a password to sign in with.',
    errors: ['not_found', 'permission_denied', 'not_configured'],
  },
  searchUsers: {
    tag: 'Accounts',
    summary: 'Search for users',
    description:
      'Users whose login, or a word of whose name, begins with the text, at most 20, if the operator has turned the directory on.',
    errors: ['permission_denied', 'rate_limited'],
  },
} as const satisfies Record<string, Operation>
