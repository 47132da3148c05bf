/** Questions of the page that embeds the room. */
export const embedding = {
  ask: {
    microphone: '{{host}} quer ativar seu microfone.',
    camera: '{{host}} quer ativar sua câmera.',
  },
  decline: 'Agora não',
}
