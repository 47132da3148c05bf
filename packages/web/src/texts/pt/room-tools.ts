/** What participants set for themselves, and tools that are needed rarely. */
export const options = {
  copyInvitation: 'Copiar link do convite',
  invitationCopied: 'Copiado.',
  sounds: 'Tocar um som quando',
  sound: {
    join: 'alguém entrar',
    hand: 'alguém levantar a mão',
    message: 'chegar uma mensagem',
  },
  bubble: 'Mostrar novas mensagens sobre os vídeos',
  tabTitle: 'Mostrar o que acontece no título da guia',
  pushToTalk: 'Segurar a barra de espaço para falar com o microfone desativado',
  alert: {
    join: '{{name}} entrou',
    hand: '{{name}} levantou a mão',
    message: 'Mensagem de {{name}}',
  },
  volume: { voice: 'Volume para mim', screen: 'Volume da tela compartilhada para mim' },
}

export const reactions = {
  title: 'Reações',
  forbidden: 'No momento, só os moderadores podem reagir',
  forbidden_teacher: 'No momento, só o professor pode reagir',
  announce: '{{name}}: {{reaction}}',
  thumbs_up: 'Joinha',
  clap: 'Aplausos',
  heart: 'Coração',
  laugh: 'Risada',
  party: 'Comemoração',
  surprise: 'Surpresa',
  thinking: 'Pensando',
  wave: 'Aceno',
}

export const pointer = {
  start: 'Ponteiro laser',
  stop: 'Guardar o ponteiro laser',
  board: 'Sua tela compartilhada, para apontar',
  hint: 'Os outros veem onde você aponta. As setas movem o ponteiro, mais rápido com Shift. Esc guarda o ponteiro.',
}

export const pip = {
  open: 'Picture-in-picture',
  close: 'Fechar picture-in-picture',
}

export const statistics = {
  title: 'Estatísticas da conexão',
  none: 'O áudio e o vídeo não estão conectados.',
  sent: 'Você envia',
  received: 'Você recebe',
  source: {
    microphone: 'Microfone',
    camera: 'Câmera',
    screen: 'Tela',
    screen_audio: 'Som da tela',
  },
  kbps: '{{kbps}} kbit/s',
  loss: '{{percent}}% perdidos',
  fps: '{{fps}} fps',
  rtt: 'ida e volta {{ms}} ms',
  route: { udp: 'UDP', tcp: 'TCP', relay: 'servidor de retransmissão' },
}

export const bar = {
  panel: 'Painel',
  enlarge: 'Ampliar o painel',
  reduce: 'Reduzir o painel',
  board: 'Quadro',
  myPage: 'A minha página',
  openBoard: 'Mostrar o quadro a todos',
  closeBoard: 'Fechar o quadro para todos',
  boardLoading: 'O quadro está a carregar…',
  exit: 'Opções de saída',
  leave: 'Sair, a reunião continua',
  leave_teacher: 'Sair, a aula continua',
  end: 'Encerrar para todos…',
  endVerb: 'Encerrar para todos',
  endQuestion: 'Encerrar a reunião para todos?',
  settings: {
    microphone: 'Configurações de áudio',
    camera: 'Configurações de vídeo',
  },
  share: 'Compartilhar',
  hand: 'Mão',
  left: 'restam {{minutes, number}} min',
  locked: 'A reunião está bloqueada',
  hands: 'Mãos levantadas: {{hands, number}}',
  waiting: 'Aguardando: {{waiting, number}}',
}

export const shortcuts = {
  b: 'Mostrar ou fechar o quadro',
  m: 'Ativar ou desativar o microfone',
  v: 'Ativar ou desativar a câmera',
  h: 'Levantar ou abaixar a mão',
  c: 'Mostrar ou ocultar o chat',
  p: 'Mostrar ou ocultar os participantes',
  g: 'Mudar para o próximo layout',
  r: 'Reagir com um emoji',
  help: 'Mostrar esta lista',
  spaceKey: 'Espaço',
  space: 'Segurar para falar com o microfone desativado, se isso estiver ativado',
  escape: 'Fechar o painel ou a caixa de diálogo',
  note: 'As teclas de letras não funcionam enquanto você digita.',
  s: 'Iniciar ou encerrar o compartilhamento da tela',
  t: 'Mostrar ou ocultar as legendas',
  f: 'Ativar ou desativar a tela cheia',
  settings: 'Abrir as configurações',
}

export const roomSettings = {
  tabs: {
    audio: 'Áudio',
    video: 'Vídeo',
    notices: 'Avisos',
    appearance: 'Idioma e aparência',
    keys: 'Teclas',
    statistics: 'Estatísticas',
  },
  shortcuts: 'Atalhos do teclado',
}
