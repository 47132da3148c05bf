export const link = {
  opening: 'Abrindo seu link…',
  code: 'Código para o suporte:',
}

export const invitation = {
  heading: 'Convite',
  untitled: 'Reunião sem título',
  time: 'Quando',
  from: 'a partir das {{time}}',
  until: 'até {{time}}',
  zone: 'Fuso horário: {{zone}}',
  guest: 'Seu convite é para',
  personal: 'Este link é pessoal. Não compartilhe: quem abrir vai entrar com seu nome.',
  about: 'Sobre esta reunião',
  all: 'Mostrar tudo',
  less: 'Mostrar menos',
}

export const prejoin = {
  recorded: 'Esta reunião é gravada automaticamente: áudio, vídeo e telas compartilhadas.',
  name: 'Seu nome',
  nameMissing: 'Digite seu nome.',
  join: 'Participar',
  joinBlocked: 'Participar sem câmera e sem microfone',
  joinAs: 'Você entra como {{name}}',
  change: 'Alterar',
  options: 'Configurações',
  copyLink: 'Copiar o link para abrir em outro lugar',
  copyRefused: 'Seu navegador não permite copiar. Abra o link de novo em outro navegador.',
  preview: 'Prévia da câmera',
  settings: 'Dispositivos',
  requesting: 'Permita o acesso à câmera e ao microfone',
  requestingText: 'Escolha “Permitir” no aviso do navegador. Ninguém pode ver ou ouvir você até você entrar.',
  cameraOff: 'A câmera está desativada',
  cameraFailed: 'Sem imagem da câmera',
  cameraStarting: 'Iniciando a câmera…',
  without: {
    both: 'Você vai entrar sem câmera e sem microfone. É possível ativá-los depois.',
    microphone: 'Você vai entrar com o microfone desativado. É possível ativá-lo depois.',
  },
  levelQuiet: 'Diga algo para testar seu microfone',
  levelDetected: 'Seu microfone está funcionando',
  testSound: 'Testar o som',
  noWebRtc: {
    title: 'Este navegador não é compatível',
    text: 'O WebRTC não existe ou está desativado. Abra o link em uma versão atual do Firefox, Chrome, Edge ou Safari.',
  },
  playing: 'Reproduzindo…',
  systemSpeaker: 'Padrão do sistema',
}

export const entrance = {
  signedIn: 'Você entrou como {{login}}.',
  lost: 'Sua sessão foi encerrada. Entre de novo.',
  noGuests: 'Você precisa de uma conta para participar desta reunião. Entre para continuar.',
  orAccount: 'Tem uma conta?',
  orGuest: 'Não tem conta?',
  guest: 'Continuar como convidado',
}

export const start = {
  title: 'Reuniões cara a cara',
  text: 'Digite o link ou o código da reunião para participar.',
  link: 'Link ou código da reunião',
  example: 'por exemplo, {{code}}',
  go: 'Abrir reunião',
  wrong: {
    elsewhere: 'Este link leva a outro servidor. Abra-o no navegador.',
    nothing: 'Isto não é um link nem um código de reunião. Verifique e tente de novo.',
  },
}

export const status = {
  live: 'Em andamento',
  scheduled: 'Agendada',
  empty: 'Não há ninguém na reunião',
}

export const inside = {
  one: '{{name}} já está aqui',
  two: '{{name}} e {{second}} já estão aqui',
  more_one: '{{name}}, {{second}} e mais {{count, number}} pessoa já estão aqui',
  more_many: '{{name}}, {{second}} e mais {{count, number}} de pessoas já estão aqui',
  more_other: '{{name}}, {{second}} e mais {{count, number}} pessoas já estão aqui',
}

export const timing = {
  ahead: 'Começa {{when}}',
  starting: 'Começa agora',
  due: 'Começou {{when}}',
  over: 'Terminou {{when}}',
  'live-until': 'Termina {{when}}',
  overtime: 'Passou do horário previsto',
}

export const role = {
  teacher: 'Professor',
  student: 'Aluno',
}
