export const device = {
  camera: { name: 'Caméra', turnOn: 'Activer la caméra', turnOff: 'Désactiver la caméra' },
  microphone: { name: 'Micro', turnOn: 'Activer le micro', turnOff: 'Couper le micro' },
  speaker: { name: 'Haut-parleur' },
  both: { name: 'Caméra et micro' },
  again: 'Réessayer',
  newTab: 'Ouvrir dans un nouvel onglet',
  replaced: '« {{previous}} » est débranché ou occupé. « {{current}} » est maintenant utilisé.',
  speakerReplaced: '« {{previous}} » est débranché. L’appareil par défaut du système est maintenant utilisé.',
  interrupted: 'Suspendu par votre système, par exemple pendant un appel. La reprise est automatique.',
}

export const deviceProblem = {
  refused: {
    title: 'L’accès est bloqué dans votre navigateur',
    text: 'Cliquez sur l’icône à gauche de l’adresse, autorisez l’accès pour cette page, puis réessayez.',
  },
  refused_by_system: {
    title: 'L’accès est bloqué par votre système',
    text: 'Ouvrez les réglages de confidentialité de votre système, autorisez l’accès à ce navigateur, puis réessayez.',
  },
  refused_by_frame: {
    title: 'L’accès est bloqué par la page qui contient la réunion',
    text: 'Ouvrez la réunion dans un nouvel onglet. Le propriétaire de cette page peut autoriser l’accès.',
  },
  missing: {
    title: 'Introuvable',
    text: 'Branchez un appareil. Il sera détecté automatiquement.',
  },
  in_use: {
    title: 'Utilisé par une autre application',
    text: 'Fermez l’autre application ou l’autre onglet, puis réessayez.',
  },
  insecure: {
    title: 'Une connexion sécurisée est nécessaire',
    text: 'L’adresse doit commencer par https. Prévenez la personne qui vous a invité.',
  },
  failed: {
    title: 'Démarrage impossible',
    text: 'Débranchez puis rebranchez l’appareil, ou redémarrez le navigateur. Réessayez ensuite.',
  },
  background_failed: {
    title: 'L’arrière-plan n’a pas pu être masqué',
    text: 'Votre caméra reste désactivée pour que personne ne voie votre pièce. Réessayez ou montrez votre pièce.',
  },
  background_slow: {
    title: 'Cet appareil est trop lent pour un arrière-plan',
    text: 'Votre caméra a été désactivée pour que personne ne voie votre pièce. Fermez d’autres programmes et réessayez, ou montrez votre pièce.',
  },
}

export const connection = {
  title: 'Connexion',
  run: 'Vérifier la connexion',
  testing: 'Vérification de votre connexion…',
  udp: 'Votre connexion est bonne. L’audio et la vidéo suivent la route directe.',
  tcp: 'Votre réseau bloque la route la plus rapide. Les appels fonctionnent, mais l’audio et la vidéo peuvent parfois se figer.',
  relay:
    'Votre réseau n’autorise les appels que par un serveur relais. Ils fonctionnent avec un léger retard.',
  none: 'Votre réseau bloque les appels. Essayez un autre réseau, par exemple les données mobiles.',
  failed: 'La connexion n’a pas pu être vérifiée. Réessayez dans un instant.',
  details: 'Détails pour l’assistance',
  routeStatus: { open: 'disponible', blocked: 'bloquée', missing: 'non proposée' },
  server: 'Serveur',
  time: 'Heure',
  browser: 'Navigateur',
  copy: 'Copier les détails',
  copied: 'Copié.',
  selected:
    'Votre navigateur n’autorise pas la copie. Les détails sont sélectionnés pour que vous puissiez les copier.',
}
