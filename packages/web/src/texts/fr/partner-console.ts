export const partnerConsole = {
  rooms: 'Salles',
  deliveries: 'Livraisons',
  title: 'Webhook',
  none: 'Le partenaire n’a pas encore configuré de webhook.',
  url: 'URL',
  events: 'Événements',
  enabled: 'Activé',
  disabled: 'Désactivé',
  previous: 'Ancien secret',
  until: 'valable jusqu’au {{time}}',
  test: 'Envoyer un événement de test',
  testQuestion: 'Envoyer un événement de test à {{name}} ?',
  tested: 'L’événement de test est en file d’attente. La liste des livraisons affichera la réponse.',
  rotate: 'Remplacer le secret',
  rotateQuestion:
    'Créer un nouveau secret pour {{name}} ? Pendant une journée, les livraisons porteront les signatures des deux secrets.',
  rotated: 'Le nouveau secret est prêt.',
  secret: 'Nouveau secret du webhook',
  secretNote: 'Transmettez-le maintenant au partenaire : il ne sera plus affiché.',
  finish: 'Révoquer l’ancien secret',
  finishQuestion:
    'Signer uniquement avec le nouveau secret ? Un récepteur qui utilise encore l’ancien refusera toutes les livraisons.',
  finished: 'Les livraisons sont signées uniquement avec le nouveau secret.',
  remove: 'Supprimer le webhook',
  removeQuestion:
    'Supprimer le webhook de {{name}} ? Les livraisons en attente sont annulées et les nouveaux événements ne sont pas envoyés.',
  removed: 'Le webhook est supprimé.',
}
