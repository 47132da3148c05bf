export const home = {
  navigation: 'Основная навигация',
  back: 'Назад',
  pages: {
    conversations: 'Чаты',
    contacts: 'Контакты',
    calls: 'Звонки',
    meetings: 'Встречи',
    recordings: 'Записи',
    settings: 'Настройки',
    admin: 'Управление',
  },
  unread: '{{page}}, непрочитанных: {{number}}',
  connection: {
    offline: 'Нет подключения к интернету. Сообщения уйдут, как только оно появится.',
    reconnecting: 'Соединение потеряно. Переподключаемся…',
    outdated: 'Сервер обновился. Перезагрузите страницу, чтобы продолжить.',
    reload: 'Перезагрузить страницу',
  },
}

export const overview = {
  title: 'Начать или присоединиться',
  missed: 'Пропущенные звонки',
  recordings: 'Последние записи',
}
