export const device = {
  camera: { name: 'Câmera', turnOn: 'Ativar câmera', turnOff: 'Desativar câmera' },
  microphone: { name: 'Microfone', turnOn: 'Ativar microfone', turnOff: 'Desativar microfone' },
  speaker: { name: 'Alto-falante' },
  both: { name: 'Câmera e microfone' },
  again: 'Tentar de novo',
  newTab: 'Abrir em uma nova guia',
  replaced: '“{{previous}}” foi desconectado ou está em uso. Agora está em uso “{{current}}”.',
  speakerReplaced: '“{{previous}}” foi desconectado. Agora está em uso o padrão do sistema.',
  interrupted: 'O sistema pausou o dispositivo, por exemplo, durante uma ligação. Ele volta automaticamente.',
}

export const deviceProblem = {
  refused: {
    title: 'O navegador bloqueou o acesso',
    text: 'Clique no ícone à esquerda do endereço, permita o acesso para esta página e tente de novo.',
  },
  refused_by_system: {
    title: 'O sistema bloqueou o acesso',
    text: 'Abra as configurações de privacidade do sistema, permita o acesso para este navegador e tente de novo.',
  },
  refused_by_frame: {
    title: 'A página em que a reunião está bloqueou o acesso',
    text: 'Abra a reunião em uma nova guia. O dono dessa página pode permitir o acesso.',
  },
  missing: {
    title: 'Dispositivo não encontrado',
    text: 'Conecte um. Ele será detectado automaticamente.',
  },
  in_use: {
    title: 'Em uso por outro aplicativo',
    text: 'Feche o outro aplicativo ou a outra guia e tente de novo.',
  },
  insecure: {
    title: 'É necessária uma conexão segura',
    text: 'O endereço precisa começar com https. Avise quem convidou você.',
  },
  failed: {
    title: 'Não foi possível iniciar',
    text: 'Desconecte o dispositivo e conecte-o de novo ou reinicie o navegador. Depois, tente de novo.',
  },
  background_failed: {
    title: 'Não foi possível ocultar o plano de fundo',
    text: 'Sua câmera permanece desligada para que ninguém veja seu ambiente. Tente de novo ou mostre seu ambiente.',
  },
  background_slow: {
    title: 'Este dispositivo é lento demais para um plano de fundo',
    text: 'Sua câmera foi desligada para que ninguém veja seu ambiente. Feche outros programas e tente de novo, ou mostre seu ambiente.',
  },
}

export const connection = {
  title: 'Conexão',
  run: 'Verificar conexão',
  testing: 'Verificando sua conexão…',
  udp: 'Sua conexão é boa. O áudio e o vídeo usam o caminho direto.',
  tcp: 'Sua rede bloqueia o caminho mais rápido. As chamadas funcionam, mas o áudio e o vídeo podem travar às vezes.',
  relay:
    'Sua rede só permite chamadas por meio de um servidor de retransmissão. Elas funcionam com um pequeno atraso.',
  none: 'Sua rede bloqueia chamadas. Tente outra rede, como os dados móveis.',
  failed: 'Não foi possível verificar a conexão. Tente de novo em instantes.',
  details: 'Detalhes para o suporte',
  routeStatus: { open: 'disponível', blocked: 'bloqueado', missing: 'não oferecido' },
  server: 'Servidor',
  time: 'Hora',
  browser: 'Navegador',
  copy: 'Copiar detalhes',
  copied: 'Copiado.',
  selected: 'Seu navegador não permite copiar. Os detalhes estão selecionados para que você possa copiá-los.',
}
