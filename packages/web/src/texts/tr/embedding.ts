/** Questions of the page that embeds the room. */
export const embedding = {
  ask: {
    microphone: '{{host}} mikrofonunuzu açmak istiyor.',
    camera: '{{host}} kameranızı açmak istiyor.',
  },
  decline: 'Şimdi değil',
}
