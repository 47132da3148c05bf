export const adminPages = {
  groups: { people: 'Pessoas', meetings: 'Reuniões', system: 'Sistema' },
  actionsOf: 'Ações: {{name}}',
  noMatch: 'Nada corresponde à busca e aos filtros.',
  clear: 'Limpar busca e filtros',
  starts: 'Início',
  ends: 'Fim',
  files: 'Arquivos',
  changed: 'Alterado',
  history: 'Histórico',
  deletedMeeting: 'Reunião excluída',
  changeScopes: 'Alterar escopos',
  nothingWaits: 'Nada está aguardando.',
  room: {
    open: 'Abrir a sala',
    closeHint: 'A aula terminou: a sessão é encerrada e os links informam que ela acabou.',
    cancelHint: 'A aula não acontece: os links informam que ela foi cancelada.',
  },
  result: { recordings: 'Abrir a gravação', transcripts: 'Abrir a transcrição' },
  technicalUser: {
    create: 'Criar um novo',
    existing: 'Usar um existente',
    note: 'As salas do parceiro pertencem ao usuário técnico. Ele não precisa de senha: o servidor do parceiro entra com o segredo do cliente.',
  },
  how: {
    users: 'Crie um com “Novo usuário” e envie à pessoa o link de convite.',
    serviceAccounts:
      'O servidor de um parceiro precisa de uma para criar salas. Crie-a com “Nova conta de serviço” e entregue o segredo do cliente ao parceiro.',
    sessions: 'Uma sessão aparece aqui quando alguém entra em uma reunião e some quando a última pessoa sai.',
    rooms: 'Os parceiros criam salas pela API de parceiros, com uma conta de serviço.',
    recordings: 'Uma gravação aparece aqui quando um moderador a iniciou e um gravador a armazenou.',
    transcripts:
      'Uma transcrição aparece aqui quando termina uma reunião com transcrição. É necessário um transcritor.',
    jobs: 'Uma tarefa aparece aqui quando começa uma gravação ou transcrição.',
    webhooks:
      'As entregas aparecem aqui quando um parceiro configurou um webhook e algo acontece em uma de suas salas.',
    push: 'As notificações são enviadas na hora. As que um serviço de push não aceitou aguardam aqui a próxima tentativa.',
    audit: 'Aqui fica tudo o que os administradores alteram.',
  },
}
