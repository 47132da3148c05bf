/** Chapters and attendance of a recording. */
export const lesson = {
  chapters: 'Разделы',
  chapter: { speaker: '{{name}}', screen: '{{name}} показывает экран', page: 'Страница {{name}} доски' },
  attendance: 'Посещаемость',
  columns: {
    name: 'Имя',
    joined: 'Вход',
    left: 'Выход',
    present: 'Присутствие',
    talk: 'Говорит',
    hand: 'Поднятая рука',
  },
  joins: '(входов: {{number}})',
  untilEnd: 'до конца',
  saveTable: 'Сохранить таблицу (CSV)',
}
