import type { PushTexts } from './types.ts'

export const pt: PushTexts = {
  call: 'Chamada recebida',
  videoCall: 'Chamada de vídeo recebida',
  missedCall: 'Chamada perdida',
  answeredElsewhere: 'Atendida em outro dispositivo',
  declinedElsewhere: 'Recusada em outro dispositivo',
  contactRequest: 'Solicitação de contato',
  test: 'As notificações funcionam neste dispositivo.',
}
