/** Questions of the page that embeds the room. */
export const embedding = {
  ask: {
    microphone: '{{host}} would like to turn on your microphone.',
    camera: '{{host}} would like to turn on your camera.',
  },
  decline: 'Not now',
}
