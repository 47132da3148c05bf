export const callEnded = {
  again: 'Rejoindre de nouveau',
  reload: 'Actualiser la page',
  left: { title: 'Vous avez quitté la réunion', text: 'La réunion continue sans vous.' },
  removed: {
    title: 'Vous avez été exclu de la réunion',
    text: 'Un modérateur vous a exclu. Vous pourrez revenir dès qu’un modérateur vous admettra de nouveau.',
    text_teacher:
      'L’enseignant vous a exclu. Vous pourrez revenir dès que l’enseignant vous admettra de nouveau.',
  },
  ended: { title: 'La réunion est terminée', text: 'Vous pouvez fermer cette page.' },
  closed: {
    title: 'Cette salle a été fermée',
    text: 'La réunion est terminée. Vous pouvez fermer cette page.',
  },
  cancelled: { title: 'Cette réunion a été annulée', text: 'Elle n’aura pas lieu.' },
  denied: {
    title: 'Votre demande a été refusée',
    text: 'Vous pourrez faire une nouvelle demande dans quelques minutes.',
  },
  timed_out: {
    title: 'Personne ne vous a admis',
    text: 'Vous avez attendu longtemps. Vous pouvez refaire une demande.',
  },
  lobby_full: {
    title: 'Trop de personnes attendent',
    text: 'La salle d’attente est pleine. Réessayez dans quelques minutes.',
  },
  plain_link_closed: {
    title: 'Cette salle nécessite un lien personnel',
    text: 'Demandez votre lien personnel à la personne qui vous a invité.',
  },
  full: { title: 'La réunion est complète', text: 'Réessayez lorsque quelqu’un sera parti.' },
  too_many_devices: {
    title: 'Vous participez avec trop d’appareils',
    text: 'Quittez la réunion dans un autre onglet ou sur un autre appareil, puis réessayez.',
  },
  not_found: {
    title: 'Cette salle n’existe plus',
    text: 'Demandez un nouveau lien à la personne qui vous a invité.',
  },
  link_rotated: {
    title: 'Votre lien a été remplacé',
    text: 'Il existe un lien plus récent vers cette salle. Demandez-le à la personne qui vous a invité.',
  },
  link_invalid: {
    title: 'Votre lien n’est plus valable',
    text: 'Demandez-en un nouveau à la personne qui vous a invité.',
  },
  guests_not_allowed: {
    title: 'Les invités ne peuvent pas rejoindre cette réunion',
    text: 'Demandez un lien personnel à la personne qui vous a invité.',
  },
  signed_out: {
    title: 'Vous avez été déconnecté',
    text: 'Rejoignez de nouveau la réunion. Si cela ne suffit pas, effacez les données de ce site dans les paramètres du navigateur et rouvrez le lien.',
  },
  account_deleted: {
    title: 'Votre compte a été supprimé',
    text: 'Rouvrez votre lien ou demandez-en un nouveau à la personne qui vous a invité.',
  },
  incompatible: {
    title: 'Cette page n’est plus à jour',
    text: 'Le serveur a été mis à jour. Actualisez la page pour revenir dans la réunion.',
  },
  refused: {
    title: 'Impossible de rejoindre la réunion',
    text: 'Le serveur ne vous a pas admis. Réessayez ; si le problème persiste, contactez la personne qui vous a invité.',
  },
}
