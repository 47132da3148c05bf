export const home = {
  navigation: 'Navigation principale',
  back: 'Retour',
  pages: {
    conversations: 'Discussions',
    contacts: 'Contacts',
    calls: 'Appels',
    meetings: 'Réunions',
    recordings: 'Enregistrements',
    settings: 'Paramètres',
    admin: 'Admin',
  },
  unread: '{{page}}, non lus : {{number}}',
  connection: {
    offline: 'Vous êtes hors ligne. Les messages seront envoyés dès que vous serez de nouveau en ligne.',
    reconnecting: 'Connexion perdue. Reconnexion…',
    outdated: 'Le serveur a été mis à jour. Actualisez la page pour continuer.',
    reload: 'Actualiser la page',
  },
}

export const overview = {
  title: 'Démarrer ou rejoindre',
  missed: 'Appels manqués',
  recordings: 'Derniers enregistrements',
}
