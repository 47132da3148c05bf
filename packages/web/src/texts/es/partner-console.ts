export const partnerConsole = {
  rooms: 'Salas',
  deliveries: 'Entregas',
  title: 'Webhook',
  none: 'El socio aún no ha configurado un webhook.',
  url: 'URL',
  events: 'Eventos',
  enabled: 'Activado',
  disabled: 'Desactivado',
  previous: 'Secreto anterior',
  until: 'válido hasta {{time}}',
  test: 'Enviar evento de prueba',
  testQuestion: '¿Enviar un evento de prueba a {{name}}?',
  tested: 'El evento de prueba está en cola. La lista de entregas mostrará la respuesta.',
  rotate: 'Sustituir el secreto',
  rotateQuestion:
    '¿Crear un secreto nuevo para {{name}}? Durante un día, las entregas llevarán las firmas de ambos secretos.',
  rotated: 'El secreto nuevo está listo.',
  secret: 'Secreto nuevo del webhook',
  secretNote: 'Entrégaselo ahora al socio: no se volverá a mostrar.',
  finish: 'Revocar el secreto anterior',
  finishQuestion:
    '¿Firmar solo con el secreto nuevo? Un receptor que aún tenga el anterior rechazará todas las entregas.',
  finished: 'Las entregas se firman solo con el secreto nuevo.',
  remove: 'Eliminar el webhook',
  removeQuestion:
    '¿Eliminar el webhook de {{name}}? Las entregas pendientes se cancelan y los eventos nuevos no se envían.',
  removed: 'El webhook se ha eliminado.',
}
