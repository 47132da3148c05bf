/** Sharing one's own screen. */
export const sharing = {
  on: 'Você está compartilhando',
  onWithSound: 'Você está compartilhando, com som',
  soundOff: 'Desativar o som da sua tela',
  soundOn: 'Ativar o som da sua tela',
  preview: 'Prévia do que você compartilha',
  stop: 'Parar',
  forVideo: 'Otimizar para vídeo',
  problem: {
    unsupported: {
      title: 'Este navegador não pode compartilhar a tela',
      text: 'Navegadores de celulares e tablets não podem. Entre por um computador para compartilhar a tela.',
    },
    insecure: {
      title: 'É necessária uma conexão segura',
      text: 'O endereço precisa começar com https. Avise quem convidou você.',
    },
    refused_by_frame: {
      title: 'A página em que a reunião está não permite compartilhar',
      text: 'Abra a reunião em uma guia própria. O dono dessa página pode permitir o compartilhamento.',
    },
    refused_by_system: {
      title: 'Seu sistema não permite compartilhar',
      text: 'Abra as configurações de privacidade do sistema, permita a gravação de tela para este navegador e reinicie-o.',
    },
    blocked: {
      title: 'Seu navegador não permite compartilhar',
      text: 'Clique no ícone à esquerda do endereço e permita o compartilhamento. Em um computador gerenciado, fale com o administrador.',
    },
    failed: {
      title: 'Sua tela não foi compartilhada',
      text: 'Tente de novo e escolha outra tela, janela ou guia.',
    },
  },
}
