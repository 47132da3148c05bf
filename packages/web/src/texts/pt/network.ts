export const network = {
  receivesReduced: 'Sua conexão está lenta: os vídeos chegam com qualidade menor.',
  receivesSome: 'Sua conexão está lenta: alguns vídeos não chegam.',
  receivesScreen: 'Sua conexão está lenta: só chegam o áudio e a tela.',
  receivesAudio: 'Sua conexão está lenta: só chega o áudio.',
  sendsReduced: 'Sua conexão está lenta: os outros veem você com qualidade menor.',
  sendsScreen: 'Sua conexão está lenta: os outros recebem seu áudio e sua tela, mas não sua câmera.',
  losesPackets: 'Sua conexão perde dados: o áudio e o vídeo podem falhar.',
  interrupted: 'O áudio parou por um momento.',
}
