/** Participants, the lobby, and the page of who waits in it. */
export const waiting = {
  leave: 'Leave',
  approval: {
    title: 'The moderator will let you in soon',
    title_teacher: 'The teacher will let you in soon',
    text: 'You will join automatically when the moderator admits you.',
    text_teacher: 'You will join automatically when the teacher admits you.',
  },
  locked: {
    title: 'The moderator will let you in soon',
    title_teacher: 'The teacher will let you in soon',
    text: 'The meeting is locked. You will join automatically when the moderator admits you.',
    text_teacher: 'The meeting is locked. You will join automatically when the teacher admits you.',
  },
  not_started: {
    title: 'The moderator has ended the meeting',
    title_teacher: 'The teacher has ended the meeting',
    text: 'If the moderator starts it again, you will join automatically.',
    text_teacher: 'If the teacher starts it again, you will join automatically.',
  },
}

export const lobby = {
  title: 'Waiting room',
  waiting_one: '{{count, number}} person is waiting to join',
  waiting_other: '{{count, number}} people are waiting to join',
  one: '{{name}} wants to join',
  several: '{{name}} and {{others}} more want to join',
  admit: 'Admit {{name}}',
  deny: 'Deny {{name}}',
  admitAll: 'Admit all',
}

export const people = {
  title: 'Participants',
  close: 'Close participants',
  number: 'In this meeting: {{number}}',
  nameless: 'Someone',
  moderator: 'Moderator',
  moderator_teacher: 'Teacher',
  handUp: 'Hand raised',
  microphoneOn: 'Microphone on',
  microphoneOff: 'Microphone off',
  cameraOn: 'Camera on',
  cameraOff: 'Camera off',
  sharing: 'Sharing screen',
  devices_one: '{{count, number}} device',
  devices_other: '{{count, number}} devices',
  mute: 'Mute {{name}}',
  muteAll: 'Mute all',
  lowerHandOf: 'Lower {{name}}’s hand',
  remove: 'Remove {{name}}',
  removeConfirm: 'Remove {{name}} from the meeting? They can rejoin only when you let them back in.',
  removeVerb: 'Remove',
  removed: 'Removed',
  readmit: 'Let {{name}} back in',
  lock: 'Lock meeting',
  rename: 'Change name',
  name: 'Your name',
  save: 'Save',
  notDone: 'Something went wrong. Try again in a moment.',
}
