/** The pages of links before the room: invitation, prejoin, home for guests. */
export const link = {
  opening: 'Opening your link…',
  code: 'Code for support:',
}

export const invitation = {
  heading: 'Invitation',
  untitled: 'Untitled meeting',
  time: 'When',
  from: 'from {{time}}',
  until: 'until {{time}}',
  zone: 'Time zone: {{zone}}',
  guest: 'You are invited as',
  personal: 'This link is personal. Do not share it: anyone who opens it joins under your name.',
  about: 'About this meeting',
  all: 'Show all',
  less: 'Show less',
}

export const prejoin = {
  recorded: 'This meeting is recorded automatically: audio, video and shared screens.',
  name: 'Your name',
  nameMissing: 'Enter your name.',
  join: 'Join',
  joinBlocked: 'Join without camera and microphone',
  joinAs: 'You join as {{name}}',
  change: 'Change',
  options: 'Settings',
  copyLink: 'Copy link to open elsewhere',
  copyRefused: 'Your browser does not allow copying. Open the link again in another browser.',
  preview: 'Camera preview',
  settings: 'Devices',
  requesting: 'Allow access to your camera and microphone',
  requestingText: 'Choose “Allow” in the browser prompt. Nobody can see or hear you until you join.',
  cameraOff: 'Camera is off',
  cameraFailed: 'No video from your camera',
  cameraStarting: 'Starting camera…',
  without: {
    both: 'You will join without camera and microphone. You can turn them on later.',
    microphone: 'You will join muted. You can turn your microphone on later.',
  },
  levelQuiet: 'Say something to test your microphone',
  levelDetected: 'Your microphone works',
  testSound: 'Play test sound',
  noWebRtc: {
    title: 'This browser is not supported',
    text: 'WebRTC is missing or turned off. Open the link in an up-to-date Firefox, Chrome, Edge or Safari.',
  },
  playing: 'Playing…',
  systemSpeaker: 'System default',
}

export const entrance = {
  signedIn: 'Signed in as {{login}}.',
  lost: 'You were signed out. Sign in again.',
  noGuests: 'You need an account to join this meeting. Sign in to continue.',
  orAccount: 'Have an account?',
  orGuest: 'No account?',
  guest: 'Continue as guest',
}

export const start = {
  title: 'Meet face to face',
  text: 'Enter a meeting link or code to join.',
  link: 'Meeting link or code',
  example: 'for example, {{code}}',
  go: 'Open meeting',
  wrong: {
    elsewhere: 'This link leads to another server. Open it in your browser.',
    nothing: 'This is not a meeting link or code. Check it and try again.',
  },
}

export const status = {
  live: 'In progress',
  scheduled: 'Scheduled',
  empty: 'Nobody is in the meeting',
}

export const inside = {
  one: '{{name}} is here',
  two: '{{name}} and {{second}} are here',
  more_one: '{{name}}, {{second}} and {{count, number}} more are here',
  more_other: '{{name}}, {{second}} and {{count, number}} more are here',
}

export const timing = {
  ahead: 'Starts {{when}}',
  starting: 'Starting now',
  due: 'Started {{when}}',
  over: 'Ended {{when}}',
  'live-until': 'Ends {{when}}',
  overtime: 'Past its scheduled end',
}

export const role = {
  teacher: 'Teacher',
  student: 'Student',
}
