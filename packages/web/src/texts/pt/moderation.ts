/** What moderators permit, forbid and show to everybody. */
export const moderation = {
  permissions: 'Os participantes podem',
  everybody: {
    microphone: 'Ativar o microfone',
    camera: 'Ativar a câmera',
    screen: 'Compartilhar a tela',
    chat: 'Escrever no chat',
  },
  lowerAllHands: 'Abaixar todas as mãos',
  options: 'Opções de {{name}}',
  spotlight: 'Destacar para todos',
  endSpotlight: 'Remover destaque',
  inSpotlight: 'Em destaque para todos',
  spotlit: 'Agora você está em destaque para todos',
  spotlightEnded: 'Você não está mais em destaque para todos',
  stopCamera: 'Desativar a câmera',
  stopScreen: 'Parar o compartilhamento de tela',
  person: {
    microphone: 'Pode ativar o microfone',
    camera: 'Pode ativar a câmera',
    screen: 'Pode compartilhar a tela',
    chat: 'Pode escrever no chat',
  },
  forbidden: {
    microphone: 'Um moderador desativou seu microfone',
    microphone_teacher: 'O professor desativou seu microfone',
    camera: 'Um moderador desativou sua câmera',
    camera_teacher: 'O professor desativou sua câmera',
    screen: 'No momento, você não pode compartilhar a tela',
    chat: 'No momento, você não pode escrever no chat',
  },
  permitted: {
    microphone: 'Agora você pode ativar o microfone',
    camera: 'Agora você pode ativar a câmera',
    screen: 'Agora você pode compartilhar a tela',
    chat: 'Agora você pode escrever no chat',
  },
}
