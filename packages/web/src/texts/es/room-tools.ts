/** What participants set for themselves, and tools that are needed rarely. */
export const options = {
  copyInvitation: 'Copiar enlace de invitación',
  invitationCopied: 'Copiado.',
  sounds: 'Reproducir un sonido cuando',
  sound: {
    join: 'alguien se une',
    hand: 'alguien levanta la mano',
    message: 'llega un mensaje',
  },
  bubble: 'Mostrar los mensajes nuevos sobre los vídeos',
  tabTitle: 'Mostrar lo que ocurre en el título de la pestaña',
  pushToTalk: 'Mantener la barra espaciadora para hablar con el micrófono desactivado',
  alert: {
    join: '{{name}} se unió',
    hand: '{{name}} levantó la mano',
    message: 'Mensaje de {{name}}',
  },
  volume: { voice: 'Volumen para mí', screen: 'Volumen de la pantalla compartida para mí' },
}

export const reactions = {
  title: 'Reacciones',
  forbidden: 'Por ahora solo los moderadores pueden reaccionar',
  forbidden_teacher: 'Por ahora solo el docente puede reaccionar',
  announce: '{{name}}: {{reaction}}',
  thumbs_up: 'Me gusta',
  clap: 'Aplausos',
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
  none: 'El audio y el video no están conectados.',
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

export const bar = {
  panel: 'Panel',
  enlarge: 'Ampliar el panel',
  reduce: 'Reducir el panel',
  board: 'Pizarra',
  myPage: 'Mi página',
  openBoard: 'Mostrar la pizarra a todos',
  closeBoard: 'Cerrar la pizarra para todos',
  boardLoading: 'Cargando la pizarra…',
  exit: 'Opciones de salida',
  leave: 'Salir, la reunión continúa',
  leave_teacher: 'Salir, la clase continúa',
  end: 'Finalizar para todos…',
  endVerb: 'Finalizar para todos',
  endQuestion: '¿Finalizar la reunión para todos?',
  settings: {
    microphone: 'Ajustes de audio',
    camera: 'Ajustes de vídeo',
  },
  share: 'Compartir',
  hand: 'Mano',
  left: 'quedan {{minutes, number}} min',
  locked: 'La reunión está bloqueada',
  hands: 'Manos levantadas: {{hands, number}}',
  waiting: 'En espera: {{waiting, number}}',
}

export const shortcuts = {
  b: 'Mostrar o cerrar la pizarra',
  m: 'Activar o desactivar el micrófono',
  v: 'Activar o desactivar la cámara',
  h: 'Levantar o bajar la mano',
  c: 'Mostrar u ocultar el chat',
  p: 'Mostrar u ocultar los participantes',
  g: 'Cambiar al siguiente diseño',
  r: 'Reaccionar con un emoji',
  help: 'Mostrar esta lista',
  spaceKey: 'Espacio',
  space: 'Mantener para hablar con el micrófono desactivado, si eso está activado',
  escape: 'Cerrar el panel o cuadro de diálogo abierto',
  note: 'Las teclas de letras no funcionan mientras escribes.',
  s: 'Empezar o dejar de compartir tu pantalla',
  t: 'Mostrar u ocultar los subtítulos',
  f: 'Activar o desactivar la pantalla completa',
  settings: 'Abrir los ajustes',
}

export const roomSettings = {
  tabs: {
    audio: 'Audio',
    video: 'Vídeo',
    notices: 'Avisos',
    appearance: 'Idioma y aspecto',
    keys: 'Teclas',
    statistics: 'Estadísticas',
  },
  shortcuts: 'Atajos de teclado',
}
