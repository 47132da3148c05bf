import type { PushTexts } from './types.ts'

export const fr: PushTexts = {
  call: 'Appel entrant',
  videoCall: 'Appel vidéo entrant',
  missedCall: 'Appel manqué',
  answeredElsewhere: 'Appel pris sur un autre appareil',
  declinedElsewhere: 'Appel refusé sur un autre appareil',
  contactRequest: 'Demande de contact',
  test: 'Les notifications fonctionnent sur cet appareil.',
}
