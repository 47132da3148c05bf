export const waiting = {
  leave: 'Quitter',
  approval: {
    title: 'Le modérateur va bientôt vous admettre',
    title_teacher: 'L’enseignant va bientôt vous admettre',
    text: 'Vous rejoindrez automatiquement la réunion dès que le modérateur vous admettra.',
    text_teacher: 'Vous rejoindrez automatiquement la réunion dès que l’enseignant vous admettra.',
  },
  locked: {
    title: 'Le modérateur va bientôt vous admettre',
    title_teacher: 'L’enseignant va bientôt vous admettre',
    text: 'La réunion est verrouillée. Vous la rejoindrez automatiquement dès que le modérateur vous admettra.',
    text_teacher:
      'La réunion est verrouillée. Vous la rejoindrez automatiquement dès que l’enseignant vous admettra.',
  },
  not_started: {
    title: 'Le modérateur a terminé la réunion',
    title_teacher: 'L’enseignant a terminé la réunion',
    text: 'Si le modérateur la relance, vous la rejoindrez automatiquement.',
    text_teacher: 'Si l’enseignant la relance, vous la rejoindrez automatiquement.',
  },
}

export const lobby = {
  title: 'Salle d’attente',
  waiting_one: '{{count, number}} personne souhaite entrer',
  waiting_many: '{{count, number}} de personnes souhaitent entrer',
  waiting_other: '{{count, number}} personnes souhaitent entrer',
  one: '{{name}} souhaite entrer',
  several: '{{name}} et {{others}} autres souhaitent entrer',
  admit: 'Admettre',
  admitPerson: 'Admettre {{name}}',
  deny: 'Refuser',
  denyPerson: 'Refuser {{name}}',
  admitAll: 'Admettre tout le monde',
}

export const people = {
  title: 'Participants',
  close: 'Fermer la liste des participants',
  number: 'Dans cette réunion : {{number}}',
  nameless: 'Quelqu’un',
  moderator: 'Modérateur',
  moderator_teacher: 'Enseignant',
  handUp: 'Main levée',
  microphoneOn: 'Micro activé',
  microphoneOff: 'Micro coupé',
  cameraOn: 'Caméra activée',
  cameraOff: 'Caméra désactivée',
  sharing: 'Partage son écran',
  devices_one: '{{count, number}} appareil',
  devices_many: '{{count, number}} d’appareils',
  devices_other: '{{count, number}} appareils',
  mute: 'Couper le micro de {{name}}',
  muteAll: 'Couper tous les micros',
  lowerHandOf: 'Baisser la main de {{name}}',
  remove: 'Exclure {{name}}',
  removeConfirm:
    'Exclure {{name}} de la réunion ? Cette personne ne pourra revenir que si vous l’admettez de nouveau.',
  removeVerb: 'Exclure',
  removed: 'Exclus',
  readmit: 'Laisser revenir {{name}}',
  lock: 'Verrouiller la réunion',
  rename: 'Modifier le nom',
  name: 'Votre nom',
  save: 'Enregistrer',
  notDone: 'Un problème est survenu. Réessayez dans un instant.',
}
