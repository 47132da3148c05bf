/** Sharing one's own screen. */
export const sharing = {
  on: 'You are sharing',
  onWithSound: 'You are sharing, with sound',
  soundOff: 'Turn off the sound of your screen',
  soundOn: 'Turn on the sound of your screen',
  preview: 'Preview of what you share',
  stop: 'Stop',
  forVideo: 'Optimise for video',
  problem: {
    unsupported: {
      title: 'This browser cannot share a screen',
      text: 'Browsers on phones and tablets cannot. Join from a computer to share your screen.',
    },
    insecure: {
      title: 'A secure connection is required',
      text: 'The address must begin with https. Tell the person who invited you.',
    },
    refused_by_frame: {
      title: 'The surrounding page does not allow sharing',
      text: 'Open the meeting in a tab of its own. The owner of the surrounding page can allow sharing.',
    },
    refused_by_system: {
      title: 'Your system does not allow sharing',
      text: 'Open the privacy settings of your system, allow screen recording for this browser, and restart it.',
    },
    blocked: {
      title: 'Your browser does not allow sharing',
      text: 'Click the icon to the left of the address and allow sharing. On a managed computer, ask the administrator.',
    },
    failed: {
      title: 'Your screen was not shared',
      text: 'Try again, and choose another screen, window or tab.',
    },
  },
}
