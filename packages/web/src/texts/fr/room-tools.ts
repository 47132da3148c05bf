export const options = {
  copyInvitation: 'Copier le lien d’invitation',
  invitationCopied: 'Copié.',
  sounds: 'Émettre un son quand',
  sound: {
    join: 'quelqu’un arrive',
    hand: 'quelqu’un lève la main',
    message: 'un message arrive',
  },
  bubble: 'Afficher les nouveaux messages sur les vidéos',
  tabTitle: 'Afficher les événements dans le titre de l’onglet',
  pushToTalk: 'Maintenir la barre d’espace pour parler avec le micro coupé',
  alert: {
    join: '{{name}} est arrivé(e)',
    hand: '{{name}} a levé la main',
    message: 'Message de {{name}}',
  },
  volume: { voice: 'Volume pour moi', screen: 'Volume de l’écran partagé pour moi' },
}

export const reactions = {
  title: 'Réactions',
  forbidden: 'Seuls les modérateurs peuvent réagir pour le moment',
  forbidden_teacher: 'Seul l’enseignant peut réagir pour le moment',
  announce: '{{name}}: {{reaction}}',
  thumbs_up: 'Pouce levé',
  clap: 'Applaudissements',
  heart: 'Cœur',
  laugh: 'Rire',
  party: 'Fête',
  surprise: 'Surprise',
  thinking: 'Réflexion',
  wave: 'Salut de la main',
}

export const pointer = {
  start: 'Pointeur laser',
  stop: 'Ranger le pointeur laser',
  board: 'Votre écran partagé, sur lequel pointer',
  hint: 'Les autres voient ce que vous pointez. Les flèches déplacent le pointeur, plus vite avec Maj. Échap le range.',
}

export const pip = {
  open: 'Image dans l’image',
  close: 'Fermer l’image dans l’image',
}

export const statistics = {
  title: 'Statistiques de connexion',
  none: 'L’audio et la vidéo ne sont pas connectés.',
  sent: 'Vous envoyez',
  received: 'Vous recevez',
  source: {
    microphone: 'Micro',
    camera: 'Caméra',
    screen: 'Écran',
    screen_audio: 'Son de l’écran',
  },
  kbps: '{{kbps}} kbit/s',
  loss: '{{percent}} % de pertes',
  fps: '{{fps}} images/s',
  rtt: 'aller-retour {{ms}} ms',
  route: { udp: 'UDP', tcp: 'TCP', relay: 'serveur relais' },
}

export const bar = {
  panel: 'Panneau',
  enlarge: 'Agrandir le panneau',
  reduce: 'Réduire le panneau',
  board: 'Tableau',
  myPage: 'Ma page',
  openBoard: 'Montrer le tableau à tous',
  closeBoard: 'Fermer le tableau pour tous',
  boardLoading: 'Chargement du tableau…',
  exit: 'Options de sortie',
  leave: 'Quitter, la réunion continue',
  leave_teacher: 'Quitter, le cours continue',
  end: 'Terminer pour tous…',
  endVerb: 'Terminer pour tous',
  endQuestion: 'Terminer la réunion pour tout le monde ?',
  settings: {
    microphone: 'Réglages audio',
    camera: 'Réglages vidéo',
  },
  share: 'Partager',
  hand: 'Main',
  left: 'encore {{minutes, number}} min',
  locked: 'La réunion est verrouillée',
  hands: 'Mains levées : {{hands, number}}',
  waiting: 'En attente : {{waiting, number}}',
}

export const shortcuts = {
  b: 'Montrer ou fermer le tableau',
  m: 'Activer ou couper le micro',
  v: 'Activer ou désactiver la caméra',
  h: 'Lever ou baisser la main',
  c: 'Afficher ou masquer le chat',
  p: 'Afficher ou masquer les participants',
  g: 'Passer à l’affichage suivant',
  r: 'Réagir avec un emoji',
  help: 'Afficher cette liste',
  spaceKey: 'Espace',
  space: 'Maintenir pour parler avec le micro coupé, si c’est activé',
  escape: 'Fermer le panneau ou la boîte de dialogue',
  note: 'Les touches de lettres sont inactives pendant la saisie.',
  s: 'Commencer ou arrêter le partage de votre écran',
  t: 'Afficher ou masquer les sous-titres',
  f: 'Activer ou quitter le plein écran',
  settings: 'Ouvrir les réglages',
}

export const roomSettings = {
  tabs: {
    audio: 'Audio',
    video: 'Vidéo',
    notices: 'Notifications',
    appearance: 'Langue et apparence',
    keys: 'Touches',
    statistics: 'Statistiques',
  },
  shortcuts: 'Raccourcis clavier',
}
