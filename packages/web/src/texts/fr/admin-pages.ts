export const adminPages = {
  groups: { people: 'Personnes', meetings: 'Réunions', system: 'Système' },
  actionsOf: 'Actions : {{name}}',
  noMatch: 'Rien ne correspond à la recherche et aux filtres.',
  clear: 'Effacer la recherche et les filtres',
  starts: 'Début',
  ends: 'Fin',
  files: 'Fichiers',
  changed: 'Modifié',
  history: 'Historique',
  deletedMeeting: 'Réunion supprimée',
  changeScopes: 'Modifier les portées',
  nothingWaits: 'Rien n’est en attente.',
  room: {
    open: 'Ouvrir sa salle',
    closeHint: 'Le cours est terminé : sa session prend fin, et ses liens indiquent qu’il est fini.',
    cancelHint: 'Le cours n’a pas lieu : ses liens indiquent qu’il a été annulé.',
  },
  result: { recordings: 'Ouvrir l’enregistrement', transcripts: 'Ouvrir la transcription' },
  technicalUser: {
    create: 'En créer un nouveau',
    existing: 'En utiliser un existant',
    note: 'Les salles du partenaire appartiennent à l’utilisateur technique. Il n’a pas besoin de mot de passe : le serveur du partenaire se connecte avec le secret client.',
  },
  how: {
    users: 'Créez-en un avec « Nouvel utilisateur » et envoyez le lien d’invitation à la personne.',
    serviceAccounts:
      'Le serveur d’un partenaire en a besoin pour créer des salles. Créez-le avec « Nouveau compte de service » et donnez le secret client au partenaire.',
    sessions:
      'Une session apparaît ici quand quelqu’un rejoint une réunion et disparaît quand la dernière personne est partie.',
    rooms: 'Les partenaires créent des salles avec l’API partenaire et un compte de service.',
    recordings:
      'Un enregistrement apparaît ici quand un modérateur l’a lancé et qu’un enregistreur l’a stocké.',
    transcripts:
      'Une transcription apparaît ici quand une réunion transcrite est terminée. Il faut pour cela un transcripteur.',
    jobs: 'Une tâche apparaît ici quand un enregistrement ou une transcription commence.',
    webhooks:
      'Des envois apparaissent ici quand un partenaire a défini un webhook et qu’il se passe quelque chose dans une de ses salles.',
    push: 'Les notifications partent aussitôt. Celles qu’un service push n’a pas acceptées attendent ici l’essai suivant.',
    audit: 'Tout ce que les administrateurs modifient figure ici.',
  },
}
