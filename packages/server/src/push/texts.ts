/** The words of notifications; names and messages come from people. */
export interface PushTexts {
  call: string
  videoCall: string
  contactRequest: string
  test: string
}

const en: PushTexts = {
  call: 'Incoming call',
  videoCall: 'Incoming video call',
  contactRequest: 'Contact request',
  test: 'Notifications work on this device.',
}

const ru: PushTexts = {
  call: 'Входящий звонок',
  videoCall: 'Входящий видеозвонок',
  contactRequest: 'Запрос на добавление в контакты',
  test: 'Уведомления на этом устройстве работают.',
}

/** English for everybody who has not chosen another language. */
export const pushTexts = (language: string | null): PushTexts => (language === 'ru' ? ru : en)
