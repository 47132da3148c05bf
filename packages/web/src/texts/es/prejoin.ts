export const link = {
  opening: 'Abriendo tu enlace…',
  code: 'Código para soporte:',
}

export const invitation = {
  heading: 'Invitación',
  untitled: 'Reunión sin título',
  time: 'Cuándo',
  from: 'desde las {{time}}',
  until: 'hasta las {{time}}',
  zone: 'Zona horaria: {{zone}}',
  guest: 'Tu invitación es para',
  personal: 'Este enlace es personal. No lo compartas: quien lo abra entrará con tu nombre.',
  about: 'Sobre esta reunión',
  all: 'Mostrar todo',
  less: 'Mostrar menos',
}

export const prejoin = {
  recorded: 'Esta reunión se graba automáticamente: audio, video y pantallas compartidas.',
  name: 'Tu nombre',
  nameMissing: 'Escribe tu nombre.',
  join: 'Unirse',
  joinBlocked: 'Unirse sin cámara ni micrófono',
  joinAs: 'Te unes como {{name}}',
  change: 'Cambiar',
  options: 'Ajustes',
  copyLink: 'Copiar el enlace para abrirlo en otro lugar',
  copyRefused: 'Tu navegador no permite copiar. Vuelve a abrir el enlace en otro navegador.',
  preview: 'Vista previa de la cámara',
  settings: 'Dispositivos',
  requesting: 'Permite el acceso a tu cámara y tu micrófono',
  requestingText: 'Elige “Permitir” en el aviso del navegador. Nadie puede verte ni oírte hasta que te unas.',
  cameraOff: 'La cámara está desactivada',
  cameraFailed: 'Tu cámara no envía video',
  cameraStarting: 'Iniciando la cámara…',
  without: {
    both: 'Te unirás sin cámara ni micrófono. Puedes activarlos más tarde.',
    microphone: 'Te unirás con el micrófono desactivado. Puedes activarlo más tarde.',
  },
  levelQuiet: 'Di algo para probar tu micrófono',
  levelDetected: 'Tu micrófono funciona',
  testSound: 'Probar el sonido',
  noWebRtc: {
    title: 'Este navegador no es compatible',
    text: 'No tiene WebRTC o lo tiene desactivado. Abre el enlace en una versión actual de Firefox, Chrome, Edge o Safari.',
  },
  playing: 'Reproduciendo…',
  systemSpeaker: 'Altavoz del sistema',
}

export const entrance = {
  signedIn: 'Has iniciado sesión como {{login}}.',
  lost: 'Se cerró tu sesión. Vuelve a iniciarla.',
  noGuests: 'Necesitas una cuenta para unirte a esta reunión. Inicia sesión para continuar.',
  orAccount: '¿Tienes una cuenta?',
  orGuest: '¿No tienes cuenta?',
  guest: 'Continuar como invitado',
}

export const start = {
  title: 'Reuniones cara a cara',
  text: 'Escribe el enlace o el código de una reunión para unirte.',
  link: 'Enlace o código de la reunión',
  example: 'por ejemplo, {{code}}',
  go: 'Abrir la reunión',
  wrong: {
    elsewhere: 'Este enlace lleva a otro servidor. Ábrelo en tu navegador.',
    nothing: 'Esto no es un enlace ni un código de reunión. Revísalo y vuelve a intentarlo.',
  },
}

export const status = {
  live: 'En curso',
  scheduled: 'Programada',
  empty: 'No hay nadie en la reunión',
}

export const inside = {
  one: '{{name}} ya está aquí',
  two: '{{name}} y {{second}} ya están aquí',
  more_one: '{{name}}, {{second}} y {{count, number}} persona más ya están aquí',
  more_many: '{{name}}, {{second}} y {{count, number}} de personas más ya están aquí',
  more_other: '{{name}}, {{second}} y {{count, number}} personas más ya están aquí',
}

export const timing = {
  ahead: 'Empieza {{when}}',
  starting: 'Empieza ahora',
  due: 'Empezó {{when}}',
  over: 'Terminó {{when}}',
  'live-until': 'Termina {{when}}',
  overtime: 'Ya pasó la hora de fin prevista',
}

export const role = {
  teacher: 'Docente',
  student: 'Estudiante',
}
