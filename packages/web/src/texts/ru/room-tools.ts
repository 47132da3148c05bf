export const options = {
  title: 'Параметры',
  copyInvitation: 'Скопировать ссылку-приглашение',
  invitationCopied: 'Скопировано.',
  sounds: 'Подавать звук, когда',
  sound: {
    join: 'кто-то входит',
    hand: 'кто-то поднимает руку',
    message: 'приходит сообщение',
  },
  more: 'Ещё',
  tabTitle: 'Показывать события в заголовке вкладки',
  pushToTalk: 'Говорить, удерживая пробел, пока микрофон выключен',
  alert: {
    join: 'Входит {{name}}',
    hand: '{{name}} поднимает руку',
    message: 'Сообщение от {{name}}',
  },
  volume: { voice: 'Громкость (только у вас)', screen: 'Громкость экрана (только у вас)' },
}

export const reactions = {
  title: 'Реакции',
  forbidden: 'Сейчас реакции доступны только модераторам',
  forbidden_teacher: 'Сейчас реакции доступны только преподавателю',
  announce: '{{name}}: {{reaction}}',
  thumbs_up: 'Большой палец вверх',
  clap: 'Аплодисменты',
  heart: 'Сердце',
  laugh: 'Смех',
  party: 'Праздник',
  surprise: 'Удивление',
  thinking: 'Раздумье',
  wave: 'Приветствие',
}

export const pointer = {
  start: 'Лазерная указка',
  stop: 'Убрать лазерную указку',
  board: 'Ваш экран: здесь можно показывать указкой',
  hint: 'Остальные видят, куда вы показываете. Стрелки двигают указку, с Shift — быстрее. Escape убирает её.',
}

export const pip = {
  open: 'Картинка в картинке',
  close: 'Закрыть картинку в картинке',
}

export const statistics = {
  title: 'Статистика соединения',
  none: 'Звук и видео не подключены.',
  sent: 'Вы передаёте',
  received: 'Вы получаете',
  source: {
    microphone: 'Микрофон',
    camera: 'Камера',
    screen: 'Экран',
    screen_audio: 'Звук экрана',
  },
  kbps: '{{kbps}} кбит/с',
  loss: 'потери {{percent}} %',
  fps: '{{fps}} кадр/с',
  rtt: 'задержка туда и обратно {{ms}} мс',
  route: { udp: 'UDP', tcp: 'TCP', relay: 'ретранслятор' },
}

export const bar = {
  exit: 'Варианты выхода',
  leave: 'Выйти, встреча продолжится',
  leave_teacher: 'Выйти, урок продолжится',
  end: 'Завершить для всех…',
  endVerb: 'Завершить для всех',
  endQuestion: 'Завершить встречу для всех?',
}
