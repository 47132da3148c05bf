import type { PushTexts } from './types.ts'

export const en: PushTexts = {
  call: 'Incoming call',
  videoCall: 'Incoming video call',
  missedCall: 'Missed call',
  answeredElsewhere: 'Answered on another device',
  declinedElsewhere: 'Declined on another device',
  contactRequest: 'Contact request',
  test: 'Notifications work on this device.',
}
