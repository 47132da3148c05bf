export const push = {
  hint: 'Sobre chamadas e mensagens que chegam quando nenhuma página está aberta.',
  switch: 'Receber notificações neste navegador',
  checking: 'Verificando…',
  failed: 'Não foi possível ativar as notificações. Verifique sua conexão e tente de novo.',
  notOff: 'Não foi possível desativar as notificações. Verifique sua conexão e tente de novo.',
  blocked:
    'As notificações deste site estão bloqueadas. Clique no ícone à esquerda do endereço e permita as notificações.',
  unavailable: {
    disabled: 'Este servidor não envia notificações.',
    unsupported:
      'Este navegador não oferece notificações aqui. Tente um navegador atualizado ou uma página com https.',
    install:
      'Primeiro adicione esta página à tela de início: toque em Compartilhar, depois em “Adicionar à Tela de Início” e abra-a por lá.',
  },
}
