export const device = {
  camera: { name: 'Cámara', turnOn: 'Activar cámara', turnOff: 'Desactivar cámara' },
  microphone: { name: 'Micrófono', turnOn: 'Activar micrófono', turnOff: 'Desactivar micrófono' },
  speaker: { name: 'Altavoz' },
  both: { name: 'Cámara y micrófono' },
  again: 'Reintentar',
  newTab: 'Abrir en una pestaña nueva',
  replaced: '“{{previous}}” está desconectado o en uso. Ahora se usa “{{current}}”.',
  speakerReplaced: '“{{previous}}” está desconectado. Ahora se usa el altavoz del sistema.',
  interrupted: 'El sistema pausó el dispositivo, por ejemplo, por una llamada. Se reanudará automáticamente.',
}

export const deviceProblem = {
  refused: {
    title: 'El navegador bloquea el acceso',
    text: 'Haz clic en el icono a la izquierda de la dirección, permite el acceso a esta página y vuelve a intentarlo.',
  },
  refused_by_system: {
    title: 'El sistema bloquea el acceso',
    text: 'Abre la configuración de privacidad del sistema, permite el acceso a este navegador y vuelve a intentarlo.',
  },
  refused_by_frame: {
    title: 'La página que contiene la reunión bloquea el acceso',
    text: 'Abre la reunión en una pestaña nueva. El propietario de esa página puede permitir el acceso.',
  },
  missing: {
    title: 'Dispositivo no encontrado',
    text: 'Conecta uno. Se detectará automáticamente.',
  },
  in_use: {
    title: 'Otra aplicación lo está usando',
    text: 'Cierra la otra aplicación o pestaña y vuelve a intentarlo.',
  },
  insecure: {
    title: 'Se necesita una conexión segura',
    text: 'La dirección debe empezar por https. Avisa a quien te invitó.',
  },
  failed: {
    title: 'No se pudo iniciar',
    text: 'Desconecta el dispositivo y vuelve a conectarlo, o reinicia el navegador. Después, vuelve a intentarlo.',
  },
  background_failed: {
    title: 'No se pudo ocultar el fondo',
    text: 'Tu cámara sigue apagada para que nadie vea tu habitación. Reinténtalo o muestra tu habitación.',
  },
  background_slow: {
    title: 'Este dispositivo es demasiado lento para un fondo',
    text: 'Tu cámara se ha apagado para que nadie vea tu habitación. Cierra otros programas y reinténtalo, o muestra tu habitación.',
  },
}

export const connection = {
  title: 'Conexión',
  run: 'Comprobar conexión',
  testing: 'Comprobando tu conexión…',
  udp: 'Tu conexión es buena. El audio y el video van por la ruta directa.',
  tcp: 'Tu red bloquea la ruta más rápida. Las llamadas funcionan, pero el audio y el video pueden cortarse a veces.',
  relay:
    'Tu red solo permite llamadas a través de un servidor de retransmisión. Funcionan con un ligero retraso.',
  none: 'Tu red bloquea las llamadas. Prueba con otra red, por ejemplo, los datos móviles.',
  failed: 'No se pudo comprobar la conexión. Vuelve a intentarlo en un momento.',
  details: 'Detalles para soporte',
  routeStatus: { open: 'disponible', blocked: 'bloqueada', missing: 'no se ofrece' },
  server: 'Servidor',
  time: 'Hora',
  browser: 'Navegador',
  copy: 'Copiar detalles',
  copied: 'Copiado.',
  selected: 'Tu navegador no permite copiar. Los detalles están seleccionados para que los copies tú.',
}
