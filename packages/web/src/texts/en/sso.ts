/** Sign-in at an identity provider. */
export const sso = {
  verb: 'Sign in with {{name}}',
  or: 'or',
  leaving: 'Opening the sign-in page…',
  completing: 'Signing you in…',
  wait: 'This takes a moment.',
  failed: 'You are not signed in',
  linkFailed: 'Your account was not linked',
  back: 'Back',
  problems: {
    expired:
      'This sign-in has expired, was used already, or was started in another tab or browser. Start it again.',
    cancelled: 'The sign-in was cancelled, or you may not use this service.',
    'no-account': 'You have no account here. Ask the operator of this server for one.',
    deleted: 'Your account here was deleted.',
    disabled: 'An administrator has disabled your account here.',
    taken: 'That account belongs to another user here, or you have linked another one already.',
    provider: 'The sign-in service does not answer as it should. Try again later.',
    limited: 'Too many attempts from your network. Try again in a minute.',
    unreachable: 'The server cannot be reached. Check your internet connection, and try again.',
    storage: 'Your browser blocks storage for this page, which this way to sign in needs.',
    failing: 'The server is having problems. Try again in a moment.',
  },
}
