/** What participants set for themselves, and tools that are needed rarely. */
export const options = {
  copyInvitation: 'Copy invitation link',
  invitationCopied: 'Copied.',
  sounds: 'Play a sound when',
  sound: {
    join: 'someone joins',
    hand: 'someone raises a hand',
    message: 'a message arrives',
  },
  bubble: 'Show new messages over the videos',
  tabTitle: 'Show what happens in the title of the tab',
  pushToTalk: 'Hold the space bar to talk while muted',
  alert: {
    join: '{{name}} joined',
    hand: '{{name}} raised a hand',
    message: 'Message from {{name}}',
  },
  volume: { voice: 'Volume for me', screen: 'Volume of the shared screen for me' },
}

export const reactions = {
  title: 'Reactions',
  forbidden: 'Only moderators can react right now',
  forbidden_teacher: 'Only the teacher can react right now',
  announce: '{{name}}: {{reaction}}',
  thumbs_up: 'Thumbs up',
  clap: 'Applause',
  heart: 'Heart',
  laugh: 'Laughter',
  party: 'Celebration',
  surprise: 'Surprise',
  thinking: 'Thinking',
  wave: 'Wave',
}

export const pointer = {
  start: 'Laser pointer',
  stop: 'Put the laser pointer away',
  board: 'Your shared screen, to point at',
  hint: 'The others see where you point. Arrow keys move the pointer, with Shift faster. Escape puts it away.',
}

export const pip = {
  open: 'Picture-in-picture',
  close: 'Close picture-in-picture',
}

export const statistics = {
  title: 'Connection statistics',
  none: 'Audio and video are not connected.',
  sent: 'You send',
  received: 'You receive',
  source: {
    microphone: 'Microphone',
    camera: 'Camera',
    screen: 'Screen',
    screen_audio: 'Sound of the screen',
  },
  kbps: '{{kbps}} kbit/s',
  loss: '{{percent}} % lost',
  fps: '{{fps}} fps',
  rtt: 'round trip {{ms}} ms',
  route: { udp: 'UDP', tcp: 'TCP', relay: 'relay server' },
}

export const bar = {
  panel: 'Panel',
  enlarge: 'Enlarge panel',
  reduce: 'Make panel smaller',
  board: 'Board',
  myPage: 'My page',
  openBoard: 'Show the board to everyone',
  closeBoard: 'Close the board for everyone',
  boardLoading: 'The board is loading…',
  exit: 'Exit options',
  leave: 'Leave, the meeting continues',
  leave_teacher: 'Leave, the lesson continues',
  end: 'End for everyone…',
  endVerb: 'End for everyone',
  endQuestion: 'End the meeting for everyone?',
  settings: {
    microphone: 'Audio settings',
    camera: 'Video settings',
  },
  share: 'Share',
  hand: 'Hand',
  left: '{{minutes, number}} min left',
  locked: 'The meeting is locked',
  hands: 'Raised hands: {{hands, number}}',
  waiting: 'Waiting: {{waiting, number}}',
}

export const shortcuts = {
  b: 'Show or close the board',
  m: 'Turn microphone on or off',
  v: 'Turn camera on or off',
  h: 'Raise or lower your hand',
  c: 'Show or hide chat',
  p: 'Show or hide participants',
  g: 'Switch to the next layout',
  r: 'React with an emoji',
  help: 'Show this list',
  spaceKey: 'Space',
  space: 'Hold to talk while muted, if that is turned on',
  escape: 'Close the open panel or dialog',
  note: 'Letter keys do not work while you are typing.',
  s: 'Start or stop sharing your screen',
  t: 'Show or hide captions',
  f: 'Turn full screen on or off',
  settings: 'Open the settings',
}

export const roomSettings = {
  tabs: {
    audio: 'Audio',
    video: 'Video',
    notices: 'Notices',
    appearance: 'Language and look',
    keys: 'Keys',
    statistics: 'Statistics',
  },
  shortcuts: 'Shortcut keys',
}
