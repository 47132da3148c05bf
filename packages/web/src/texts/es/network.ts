export const network = {
  receivesReduced: 'Su conexión es lenta: los vídeos llegan con menor calidad.',
  receivesSome: 'Su conexión es lenta: algunos vídeos no llegan.',
  receivesScreen: 'Su conexión es lenta: solo llegan el audio y la pantalla.',
  receivesAudio: 'Su conexión es lenta: solo llega el audio.',
  sendsReduced: 'Su conexión es lenta: los demás le ven con menor calidad.',
  sendsScreen: 'Su conexión es lenta: los demás reciben su audio y su pantalla, pero no su cámara.',
  losesPackets: 'Su conexión pierde datos: el audio y el vídeo pueden entrecortarse.',
  interrupted: 'El audio se detuvo un momento, quizá porque su red ha cambiado.',
}
