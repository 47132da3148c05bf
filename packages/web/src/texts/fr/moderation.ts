export const moderation = {
  permissions: 'Les participants peuvent',
  everybody: {
    microphone: 'Activer leur micro',
    camera: 'Activer leur caméra',
    screen: 'Partager leur écran',
  },
  lowerAllHands: 'Baisser toutes les mains',
  options: 'Options pour {{name}}',
  spotlight: 'Mettre en avant pour tous',
  endSpotlight: 'Ne plus mettre en avant',
  stopCamera: 'Désactiver la caméra',
  stopScreen: 'Arrêter le partage d’écran',
  person: {
    microphone: 'Peut activer son micro',
    camera: 'Peut activer sa caméra',
    screen: 'Peut partager son écran',
    chat: 'Peut écrire dans le chat',
  },
  forbidden: {
    microphone: 'Un modérateur a coupé votre micro',
    microphone_teacher: 'L’enseignant a coupé votre micro',
    camera: 'Un modérateur a désactivé votre caméra',
    camera_teacher: 'L’enseignant a désactivé votre caméra',
    screen: 'Seuls les modérateurs peuvent partager leur écran pour le moment',
    screen_teacher: 'Seul l’enseignant peut partager son écran pour le moment',
  },
  permitted: {
    microphone: 'Vous pouvez maintenant activer votre micro',
    camera: 'Vous pouvez maintenant activer votre caméra',
    screen: 'Vous pouvez maintenant partager votre écran',
  },
}
