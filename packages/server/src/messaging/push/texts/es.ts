import type { PushTexts } from './types.ts'

export const es: PushTexts = {
  call: 'Llamada entrante',
  videoCall: 'Videollamada entrante',
  missedCall: 'Llamada perdida',
  answeredElsewhere: 'Respondida en otro dispositivo',
  declinedElsewhere: 'Rechazada en otro dispositivo',
  contactRequest: 'Solicitud de contacto',
  test: 'Las notificaciones funcionan en este dispositivo.',
}
