/** What moderators permit, forbid and show to everybody. */
export const moderation = {
  permissions: 'Participants can',
  everybody: {
    microphone: 'Turn on microphone',
    camera: 'Turn on camera',
    screen: 'Share screen',
    chat: 'Write in chat',
  },
  lowerAllHands: 'Lower all hands',
  options: 'Options for {{name}}',
  spotlight: 'Spotlight for everyone',
  endSpotlight: 'End spotlight',
  inSpotlight: 'In the spotlight',
  spotlit: 'You are in the spotlight now',
  spotlightEnded: 'You are no longer in the spotlight',
  stopCamera: 'Turn off camera',
  stopScreen: 'Stop screen sharing',
  person: {
    microphone: 'Can turn on microphone',
    camera: 'Can turn on camera',
    screen: 'Can share screen',
    chat: 'Can write in chat',
  },
  forbidden: {
    microphone: 'A moderator has turned off your microphone',
    microphone_teacher: 'The teacher has turned off your microphone',
    camera: 'A moderator has turned off your camera',
    camera_teacher: 'The teacher has turned off your camera',
    screen: 'You cannot share your screen right now',
    chat: 'You cannot write in the chat right now',
  },
  permitted: {
    microphone: 'You can turn on your microphone now',
    camera: 'You can turn on your camera now',
    screen: 'You can share your screen now',
    chat: 'You can write in the chat now',
  },
}
