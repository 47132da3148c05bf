import type { PushTexts } from './types.ts'

export const de: PushTexts = {
  call: 'Eingehender Anruf',
  videoCall: 'Eingehender Videoanruf',
  missedCall: 'Verpasster Anruf',
  answeredElsewhere: 'Auf einem anderen Gerät angenommen',
  declinedElsewhere: 'Auf einem anderen Gerät abgelehnt',
  contactRequest: 'Kontaktanfrage',
  test: 'Benachrichtigungen funktionieren auf diesem Gerät.',
}
