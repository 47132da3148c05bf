/** Cameras, microphones, speakers, and the check of the connection. */
export const device = {
  camera: { name: 'Camera', turnOn: 'Turn on camera', turnOff: 'Turn off camera' },
  microphone: { name: 'Microphone', turnOn: 'Turn on microphone', turnOff: 'Turn off microphone' },
  speaker: { name: 'Speaker' },
  both: { name: 'Camera and microphone' },
  again: 'Try again',
  newTab: 'Open in a new tab',
  replaced: '“{{previous}}” is unplugged or in use. Switched to “{{current}}”.',
  speakerReplaced: '“{{previous}}” is unplugged. Switched to the system default.',
  interrupted: 'Paused by your system, for example during a phone call. It resumes automatically.',
}

export const deviceProblem = {
  refused: {
    title: 'Access is blocked in your browser',
    text: 'Click the icon to the left of the address, allow access for this page, and try again.',
  },
  refused_by_system: {
    title: 'Access is blocked by your system',
    text: 'Open the privacy settings of your system, allow access for this browser, and try again.',
  },
  refused_by_frame: {
    title: 'Access is blocked by the surrounding page',
    text: 'Open the meeting in a new tab. The owner of the surrounding page can allow access.',
  },
  missing: {
    title: 'Not found',
    text: 'Connect one. It will be detected automatically.',
  },
  in_use: {
    title: 'In use by another app',
    text: 'Close the other app or tab, and try again.',
  },
  insecure: {
    title: 'A secure connection is required',
    text: 'The address must begin with https. Tell the person who invited you.',
  },
  failed: {
    title: 'Could not be started',
    text: 'Unplug it and plug it in again, or restart your browser. Then try again.',
  },
  background_failed: {
    title: 'Background could not be hidden',
    text: 'Your camera stays off, so that nobody sees your room. Try again, or show your room.',
  },
  background_slow: {
    title: 'This device is too slow for a background',
    text: 'Your camera has been turned off, so that nobody sees your room. Close other programs and try again, or show your room.',
  },
}

export const connection = {
  title: 'Connection',
  run: 'Check connection',
  testing: 'Checking your connection…',
  udp: 'Your connection is good. Audio and video take the direct route.',
  tcp: 'Your network blocks the fastest route. Calls work, but audio and video may freeze at times.',
  relay: 'Your network allows calls only through a relay server. They work with a slight delay.',
  none: 'Your network blocks calls. Try another network, such as mobile data.',
  failed: 'The connection could not be checked. Try again in a moment.',
  details: 'Details for support',
  routeStatus: { open: 'available', blocked: 'blocked', missing: 'not offered' },
  server: 'Server',
  time: 'Time',
  browser: 'Browser',
  copy: 'Copy details',
  copied: 'Copied.',
  selected: 'Your browser does not allow copying. The details are selected, so you can copy them yourself.',
}
