export const push = {
  hint: 'Sobre llamadas y mensajes que llegan cuando no hay ninguna página abierta.',
  switch: 'Notificarme en este navegador',
  checking: 'Comprobando…',
  failed: 'No se pudieron activar las notificaciones. Revisa tu conexión y vuelve a intentarlo.',
  notOff: 'No se pudieron desactivar las notificaciones. Revisa tu conexión y vuelve a intentarlo.',
  blocked:
    'Las notificaciones de este sitio están bloqueadas. Haz clic en el icono a la izquierda de la dirección y permite las notificaciones.',
  unavailable: {
    disabled: 'Este servidor no envía notificaciones.',
    unsupported:
      'Este navegador no admite notificaciones aquí. Prueba con un navegador actualizado o con una página https.',
    install:
      'Primero añade esta página a la pantalla de inicio: toca Compartir, luego “Añadir a pantalla de inicio” y ábrela desde ahí.',
  },
}
