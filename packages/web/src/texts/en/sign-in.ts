/** Signing in with a password. */
export const signIn = {
  title: 'Sign in',
  text: 'With an account, you can message people, call them, and create your own meetings.',
  needed: 'Sign in to open this page.',
  login: 'Username',
  loginMissing: 'Enter your username.',
  password: 'Password',
  passwordMissing: 'Enter your password.',
  verb: 'Sign in',
  busy: 'Signing in…',
  next: 'You can try again {{when}}.',
  problem: {
    wrong: 'Incorrect username or password.',
    deleted: 'This account was deleted.',
    disabled: 'An administrator has disabled this account.',
    limited: 'Too many attempts from your network.',
    busy: 'Many people are signing in right now. Try again in a moment.',
    unconfigured: 'Nobody can sign in: this server is not set up for it yet.',
    unreachable: 'The server cannot be reached. Check your internet connection, and try again.',
    failing: 'The server is having problems. Try again in a moment.',
  },
}
