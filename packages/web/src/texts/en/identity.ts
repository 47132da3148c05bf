/** The user's account at an identity provider, in the settings. */
export const identity = {
  linked: 'You can sign in with this account:',
  notLinked: 'Link your account to sign in with {{name}}.',
  link: 'Link account',
  unlink: 'Unlink account',
  unlinkConfirm: 'Unlink your account at “{{name}}”? You will need your password to sign in.',
}
