import type { PushTexts } from './types.ts'

export const ru: PushTexts = {
  call: 'Входящий звонок',
  videoCall: 'Входящий видеозвонок',
  missedCall: 'Пропущенный звонок',
  answeredElsewhere: 'Вы ответили на другом устройстве',
  declinedElsewhere: 'Звонок отклонён на другом устройстве',
  contactRequest: 'Запрос на добавление в контакты',
  test: 'Уведомления на этом устройстве работают.',
}
