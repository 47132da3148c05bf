export const home = {
  navigation: 'Navegação principal',
  back: 'Voltar',
  pages: {
    conversations: 'Chats',
    contacts: 'Contatos',
    calls: 'Chamadas',
    meetings: 'Reuniões',
    recordings: 'Gravações',
    settings: 'Configurações',
    admin: 'Admin',
  },
  unread: '{{page}}, não lidas: {{number}}',
  connection: {
    offline: 'Sem conexão com a internet. As mensagens serão enviadas quando ela voltar.',
    reconnecting: 'Conexão perdida. Reconectando…',
    outdated: 'O servidor foi atualizado. Recarregue a página para continuar.',
    reload: 'Recarregar página',
  },
}

export const overview = {
  title: 'Iniciar ou participar',
  missed: 'Chamadas perdidas',
  recordings: 'Últimas gravações',
}
