/** Sharing one's own screen. */
export const sharing = {
  on: 'Estás compartiendo',
  onWithSound: 'Estás compartiendo, con sonido',
  soundOff: 'Desactivar el sonido de tu pantalla',
  soundOn: 'Activar el sonido de tu pantalla',
  preview: 'Vista previa de lo que compartes',
  stop: 'Detener',
  forVideo: 'Optimizar para video',
  problem: {
    unsupported: {
      title: 'Este navegador no puede compartir la pantalla',
      text: 'Los navegadores de teléfonos y tabletas no pueden. Únete desde un equipo de escritorio o portátil.',
    },
    insecure: {
      title: 'Se necesita una conexión segura',
      text: 'La dirección debe empezar por https. Avisa a quien te invitó.',
    },
    refused_by_frame: {
      title: 'La página que contiene la reunión no permite compartir',
      text: 'Abre la reunión en su propia pestaña. El propietario de esa página puede permitir compartir.',
    },
    refused_by_system: {
      title: 'Tu sistema no permite compartir',
      text: 'Abre la configuración de privacidad del sistema, permite grabar la pantalla a este navegador y reinícialo.',
    },
    blocked: {
      title: 'Tu navegador no permite compartir',
      text: 'Haz clic en el icono a la izquierda de la dirección y permite compartir. Si una organización administra el equipo, consulta al administrador.',
    },
    failed: {
      title: 'No se compartió tu pantalla',
      text: 'Vuelve a intentarlo y elige otra pantalla, ventana o pestaña.',
    },
  },
}
