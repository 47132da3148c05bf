/** Questions of the page that embeds the room. */
export const embedding = {
  ask: {
    microphone: '{{host}} souhaite activer votre micro.',
    camera: '{{host}} souhaite activer votre caméra.',
  },
  decline: 'Pas maintenant',
}
