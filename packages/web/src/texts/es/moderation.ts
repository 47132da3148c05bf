/** What moderators permit, forbid and show to everybody. */
export const moderation = {
  permissions: 'Los participantes pueden',
  everybody: {
    microphone: 'Activar el micrófono',
    camera: 'Activar la cámara',
    screen: 'Compartir pantalla',
    chat: 'Escribir en el chat',
  },
  lowerAllHands: 'Bajar todas las manos',
  options: 'Opciones de {{name}}',
  spotlight: 'Destacar para todos',
  endSpotlight: 'Dejar de destacar',
  inSpotlight: 'Destacado para todos',
  spotlit: 'Ahora se te destaca para todos',
  spotlightEnded: 'Ya no se te destaca para todos',
  stopCamera: 'Desactivar la cámara',
  stopScreen: 'Detener su pantalla compartida',
  person: {
    microphone: 'Puede activar el micrófono',
    camera: 'Puede activar la cámara',
    screen: 'Puede compartir pantalla',
    chat: 'Puede escribir en el chat',
  },
  forbidden: {
    microphone: 'Un moderador ha desactivado tu micrófono',
    microphone_teacher: 'El docente ha desactivado tu micrófono',
    camera: 'Un moderador ha desactivado tu cámara',
    camera_teacher: 'El docente ha desactivado tu cámara',
    screen: 'Por ahora no puedes compartir pantalla',
    chat: 'Por ahora no puedes escribir en el chat',
  },
  permitted: {
    microphone: 'Ya puedes activar el micrófono',
    camera: 'Ya puedes activar la cámara',
    screen: 'Ya puedes compartir pantalla',
    chat: 'Ya puedes escribir en el chat',
  },
}
