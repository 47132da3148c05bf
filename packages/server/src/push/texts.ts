/** The words of notifications; names and messages come from people. */
export interface PushTexts {
  call: string
  videoCall: string
  missedCall: string
  answeredElsewhere: string
  declinedElsewhere: string
  contactRequest: string
  test: string
}

const en: PushTexts = {
  call: 'Incoming call',
  videoCall: 'Incoming video call',
  missedCall: 'Missed call',
  answeredElsewhere: 'Answered on another device',
  declinedElsewhere: 'Declined on another device',
  contactRequest: 'Contact request',
  test: 'Notifications work on this device.',
}

const ru: PushTexts = {
  call: 'Входящий звонок',
  videoCall: 'Входящий видеозвонок',
  missedCall: 'Пропущенный звонок',
  answeredElsewhere: 'Вы ответили на другом устройстве',
  declinedElsewhere: 'Звонок отклонён на другом устройстве',
  contactRequest: 'Запрос на добавление в контакты',
  test: 'Уведомления на этом устройстве работают.',
}

/** English for everybody who has not chosen another language. */
export const pushTexts = (language: string | null): PushTexts => (language === 'ru' ? ru : en)
