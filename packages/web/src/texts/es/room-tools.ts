export const options = {
  title: 'Opciones',
  copyInvitation: 'Copiar el enlace de invitación',
  invitationCopied: 'Copiado.',
  sounds: 'Reproducir un sonido cuando',
  sound: {
    join: 'alguien se une',
    hand: 'alguien levanta la mano',
    message: 'llega un mensaje',
  },
  more: 'Más',
  tabTitle: 'Mostrar lo que ocurre en el título de la pestaña',
  pushToTalk: 'Mantener pulsada la barra espaciadora para hablar con el micrófono silenciado',
  alert: {
    join: '{{name}} se ha unido',
    hand: '{{name}} ha levantado la mano',
    message: 'Mensaje de {{name}}',
  },
  volume: { voice: 'Volumen para mí', screen: 'Volumen de la pantalla compartida para mí' },
}

export const reactions = {
  title: 'Reacciones',
  forbidden: 'Ahora solo los moderadores pueden reaccionar',
  forbidden_teacher: 'Ahora solo el profesor puede reaccionar',
  announce: '{{name}}: {{reaction}}',
  thumbs_up: 'Pulgar arriba',
  clap: 'Aplauso',
  heart: 'Corazón',
  laugh: 'Risa',
  party: 'Celebración',
  surprise: 'Sorpresa',
  thinking: 'Pensando',
  wave: 'Saludo',
}

export const pointer = {
  start: 'Puntero láser',
  stop: 'Guardar el puntero láser',
  board: 'Tu pantalla compartida, para señalar',
  hint: 'Los demás ven lo que señalas. Las flechas mueven el puntero, más rápido con Mayús. Escape lo guarda.',
}

export const pip = {
  open: 'Imagen en imagen',
  close: 'Cerrar imagen en imagen',
}

export const statistics = {
  title: 'Estadísticas de conexión',
  none: 'El audio y el vídeo no están conectados.',
  sent: 'Envías',
  received: 'Recibes',
  source: {
    microphone: 'Micrófono',
    camera: 'Cámara',
    screen: 'Pantalla',
    screen_audio: 'Sonido de la pantalla',
  },
  kbps: '{{kbps}} kbit/s',
  loss: '{{percent}} % perdido',
  fps: '{{fps}} fps',
  rtt: 'ida y vuelta {{ms}} ms',
  route: { udp: 'UDP', tcp: 'TCP', relay: 'servidor de retransmisión' },
}
