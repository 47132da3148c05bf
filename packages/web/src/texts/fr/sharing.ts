export const sharing = {
  on: 'Partage en cours',
  onWithSound: 'Vous partagez avec le son',
  soundOff: 'Couper le son de votre écran',
  soundOn: 'Activer le son de votre écran',
  preview: 'Aperçu de ce que vous partagez',
  stop: 'Arrêter',
  forVideo: 'Optimiser pour la vidéo',
  problem: {
    unsupported: {
      title: 'Ce navigateur ne peut pas partager d’écran',
      text: 'Les navigateurs des téléphones et des tablettes ne le peuvent pas. Rejoignez la réunion sur un ordinateur pour partager votre écran.',
    },
    insecure: {
      title: 'Une connexion sécurisée est nécessaire',
      text: 'L’adresse doit commencer par https. Prévenez la personne qui vous a invité.',
    },
    refused_by_frame: {
      title: 'La page qui contient la réunion n’autorise pas le partage',
      text: 'Ouvrez la réunion dans son propre onglet. Le responsable de la page peut autoriser le partage.',
    },
    refused_by_system: {
      title: 'Votre système n’autorise pas le partage',
      text: 'Ouvrez les réglages de confidentialité de votre système, autorisez l’enregistrement de l’écran pour ce navigateur, puis redémarrez-le.',
    },
    blocked: {
      title: 'Votre navigateur n’autorise pas le partage',
      text: 'Cliquez sur l’icône à gauche de l’adresse et autorisez le partage. Sur un ordinateur géré, adressez-vous à l’administrateur.',
    },
    failed: {
      title: 'Votre écran n’a pas été partagé',
      text: 'Réessayez en choisissant un autre écran, une autre fenêtre ou un autre onglet.',
    },
  },
}
