/** Questions of the page that embeds the room. */
export const embedding = {
  ask: {
    microphone: '{{host}} möchte Ihr Mikrofon einschalten.',
    camera: '{{host}} möchte Ihre Kamera einschalten.',
  },
  decline: 'Jetzt nicht',
}
