export const link = {
  opening: 'Ouverture de votre lien…',
  code: 'Code pour l’assistance :',
}

export const invitation = {
  heading: 'Invitation',
  untitled: 'Réunion sans titre',
  time: 'Quand',
  from: 'à partir de {{time}}',
  until: 'jusqu’à {{time}}',
  zone: 'Fuseau horaire : {{zone}}',
  guest: 'Vous êtes invité en tant que',
  personal:
    'Ce lien est personnel. Ne le partagez pas : toute personne qui l’ouvre participe sous votre nom.',
  about: 'À propos de cette réunion',
  all: 'Tout afficher',
  less: 'Afficher moins',
}

export const prejoin = {
  recorded: 'Cette réunion est enregistrée automatiquement : audio, vidéo et écrans partagés.',
  name: 'Votre nom',
  nameMissing: 'Saisissez votre nom.',
  join: 'Rejoindre',
  joinBlocked: 'Rejoindre sans caméra ni micro',
  joinAs: 'Votre nom : {{name}}',
  change: 'Modifier',
  options: 'Réglages',
  copyLink: 'Copier le lien pour l’ouvrir ailleurs',
  copyRefused:
    'Votre navigateur ne permet pas de copier. Ouvrez de nouveau le lien dans un autre navigateur.',
  preview: 'Aperçu de la caméra',
  settings: 'Appareils',
  requesting: 'Autorisez l’accès à votre caméra et à votre micro',
  requestingText:
    'Choisissez « Autoriser » dans la demande du navigateur. Personne ne vous voit ni ne vous entend avant votre entrée.',
  cameraOff: 'Caméra désactivée',
  cameraFailed: 'Aucune image de votre caméra',
  cameraStarting: 'Démarrage de la caméra…',
  without: {
    both: 'Vous entrerez sans caméra ni micro. Vous pourrez les activer plus tard.',
    microphone: 'Vous entrerez avec le micro coupé. Vous pourrez l’activer plus tard.',
  },
  levelQuiet: 'Parlez pour tester votre micro',
  levelDetected: 'Votre micro fonctionne',
  testSound: 'Tester le son',
  noWebRtc: {
    title: 'Ce navigateur n’est pas pris en charge',
    text: 'WebRTC est absent ou désactivé. Ouvrez le lien dans une version récente de Firefox, Chrome, Edge ou Safari.',
  },
  playing: 'Lecture…',
  systemSpeaker: 'Par défaut du système',
}

export const entrance = {
  signedIn: 'Connecté en tant que {{login}}.',
  lost: 'Vous avez été déconnecté. Connectez-vous de nouveau.',
  noGuests: 'Un compte est nécessaire pour rejoindre cette réunion. Connectez-vous pour continuer.',
  orAccount: 'Vous avez un compte ?',
  orGuest: 'Pas de compte ?',
  guest: 'Continuer en tant qu’invité',
}

export const start = {
  title: 'Se retrouver face à face',
  text: 'Saisissez le lien ou le code d’une réunion pour la rejoindre.',
  link: 'Lien ou code de la réunion',
  example: 'par exemple {{code}}',
  go: 'Ouvrir la réunion',
  wrong: {
    elsewhere: 'Ce lien mène à un autre serveur. Ouvrez-le dans votre navigateur.',
    nothing: 'Ce n’est ni un lien ni un code de réunion. Vérifiez-le et réessayez.',
  },
}

export const status = {
  live: 'En cours',
  scheduled: 'Planifiée',
  empty: 'Personne n’est dans la réunion',
}

export const inside = {
  one: '{{name}} est là',
  two: '{{name}} et {{second}} sont là',
  more_one: '{{name}}, {{second}} et {{count, number}} autre sont là',
  more_many: '{{name}}, {{second}} et {{count, number}} d’autres sont là',
  more_other: '{{name}}, {{second}} et {{count, number}} autres sont là',
}

export const timing = {
  ahead: 'Commence {{when}}',
  starting: 'Commence maintenant',
  due: 'A commencé {{when}}',
  over: 'Terminée {{when}}',
  'live-until': 'Se termine {{when}}',
  overtime: 'Heure de fin prévue dépassée',
}

export const role = {
  teacher: 'Enseignant',
  student: 'Élève',
}
