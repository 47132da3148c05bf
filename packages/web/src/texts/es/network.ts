export const network = {
  receivesReduced: 'Tu conexión es lenta: recibes los videos con menor calidad.',
  receivesSome: 'Tu conexión es lenta: no recibes algunos videos.',
  receivesScreen: 'Tu conexión es lenta: solo recibes el audio y la pantalla.',
  receivesAudio: 'Tu conexión es lenta: solo recibes el audio.',
  sendsReduced: 'Tu conexión es lenta: los demás te ven con menor calidad.',
  sendsScreen: 'Tu conexión es lenta: los demás reciben tu audio y tu pantalla, pero no tu cámara.',
  losesPackets: 'Tu conexión pierde datos: el audio y el video pueden entrecortarse.',
  interrupted: 'El audio se interrumpió un momento.',
}
