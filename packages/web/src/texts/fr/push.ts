export const push = {
  hint: 'Pour les appels et les messages qui arrivent lorsqu’aucune page n’est ouverte.',
  switch: 'M’avertir dans ce navigateur',
  checking: 'Vérification…',
  failed: 'Impossible d’activer les notifications. Vérifiez votre connexion et réessayez.',
  notOff: 'Impossible de désactiver les notifications. Vérifiez votre connexion et réessayez.',
  blocked:
    'Les notifications sont bloquées pour ce site. Cliquez sur l’icône à gauche de l’adresse et autorisez-les.',
  unavailable: {
    disabled: 'Ce serveur n’envoie pas de notifications.',
    unsupported:
      'Ce navigateur ne prend pas en charge les notifications ici. Essayez un navigateur récent ou une page en https.',
    install:
      'Ajoutez d’abord cette page à votre écran d’accueil : touchez « Partager », puis « Sur l’écran d’accueil », et ouvrez-la depuis celui-ci.',
  },
}
