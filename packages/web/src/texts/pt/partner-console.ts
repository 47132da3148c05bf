export const partnerConsole = {
  rooms: 'Salas',
  deliveries: 'Entregas',
  title: 'Webhook',
  none: 'O parceiro ainda não configurou um webhook.',
  url: 'URL',
  events: 'Eventos',
  enabled: 'Ativado',
  disabled: 'Desativado',
  previous: 'Segredo anterior',
  until: 'válido até {{time}}',
  test: 'Enviar evento de teste',
  testQuestion: 'Enviar um evento de teste para {{name}}?',
  tested: 'O evento de teste está na fila. A lista de entregas mostrará a resposta.',
  rotate: 'Substituir segredo',
  rotateQuestion:
    'Criar um novo segredo para {{name}}? Durante um dia, as entregas terão as assinaturas dos dois segredos.',
  rotated: 'O novo segredo está pronto.',
  secret: 'Novo segredo do webhook',
  secretNote: 'Entregue-o agora ao parceiro: ele não será mostrado de novo.',
  finish: 'Revogar o segredo anterior',
  finishQuestion:
    'Assinar só com o novo segredo? Um receptor que ainda tem o anterior recusará todas as entregas.',
  finished: 'As entregas são assinadas só com o novo segredo.',
  remove: 'Remover webhook',
  removeQuestion:
    'Remover o webhook de {{name}}? As entregas pendentes são canceladas e novos eventos não são enviados.',
  removed: 'O webhook foi removido.',
}
