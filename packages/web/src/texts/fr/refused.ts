export const refused = {
  link_incomplete: {
    title: 'Ce lien est incomplet',
    text: 'Une partie de l’adresse manque. Copiez le lien entier depuis le message reçu ou ouvrez-le depuis ce message.',
  },
  link_foreign: {
    title: 'Ce lien est endommagé',
    text: 'Il a peut-être été modifié lors de la copie, ou il appartient à un autre serveur. Copiez-le de nouveau ou demandez-en un nouveau à la personne qui vous a invité.',
  },
  link_rotated: {
    title: 'Ce lien a été remplacé',
    text: 'Il existe un lien plus récent vers cette salle. Demandez-le à la personne qui vous a invité.',
  },
  room_closed: {
    title: 'Cette salle est fermée',
    text: 'La réunion est terminée. Si elle devait continuer, contactez la personne qui vous a invité.',
  },
  plain_link_closed: {
    title: 'Cette salle nécessite un lien personnel',
    text: 'Demandez votre lien personnel à la personne qui vous a invité.',
  },
  room_cancelled: {
    title: 'Cette réunion a été annulée',
    text: 'Elle n’aura pas lieu. Demandez une autre date à la personne qui vous a invité.',
  },
  account_deleted: {
    title: 'Ce compte a été supprimé',
    text: 'Le compte auquel appartient ce lien n’existe plus. Demandez un nouveau lien à la personne qui vous a invité.',
  },
  account_disabled: {
    title: 'Ce compte est désactivé',
    text: 'Un administrateur a désactivé le compte auquel appartient ce lien. Renseignez-vous auprès de la personne qui vous a invité.',
  },
  room_not_found: {
    title: 'Cette salle n’existe plus',
    text: 'Le lien est valable, mais la salle a été supprimée. Demandez un nouveau lien à la personne qui vous a invité.',
  },
  conference_not_found: {
    title: 'Cette réunion n’existe pas',
    text: 'Vérifiez l’adresse ou demandez le lien à la personne qui vous a invité.',
  },
  links_off: {
    title: 'Les liens personnels sont désactivés',
    text: 'Ce serveur n’accepte pas les liens personnels pour le moment. Prévenez la personne qui vous a invité.',
  },
  unknown: {
    title: 'Impossible d’ouvrir ce lien',
    text: 'Le serveur a envoyé une réponse inattendue. Actualisez la page ; si le problème persiste, contactez la personne qui vous a invité.',
  },
}

export const problem = {
  unreachable: {
    title: 'Le serveur est injoignable',
    text: 'Vérifiez votre connexion Internet. Cette page réessaie automatiquement.',
  },
  failing: {
    title: 'Le serveur rencontre des problèmes',
    text: 'Votre lien est peut-être correct. Cette page réessaie automatiquement.',
  },
  rate_limited: {
    title: 'Trop de tentatives',
    text: 'Votre réseau a envoyé trop de demandes. Cette page réessaie automatiquement.',
  },
  next: 'Prochaine tentative {{when}}',
  now: 'Nouvelle tentative…',
  again: 'Réessayer',
}

export const loading = {
  title: 'Chargement…',
  text: 'Le chargement est plus long que d’habitude. Vérifiez votre connexion Internet.',
  failed: 'Impossible de charger la page',
  failedText: 'Le serveur est peut-être en cours de mise à jour. Actualisez la page dans un instant.',
}

export const notFound = {
  title: 'Page introuvable',
  text: 'Ouvrez le lien de votre invitation. Si vous avez saisi l’adresse, vérifiez-la.',
}
