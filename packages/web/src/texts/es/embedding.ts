/** Questions of the page that embeds the room. */
export const embedding = {
  ask: {
    microphone: '{{host}} quiere activar tu micrófono.',
    camera: '{{host}} quiere activar tu cámara.',
  },
  decline: 'Ahora no',
}
