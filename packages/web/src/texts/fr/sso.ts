export const sso = {
  verb: 'Se connecter avec {{name}}',
  or: 'ou',
  leaving: 'Ouverture de la page de connexion…',
  completing: 'Connexion en cours…',
  wait: 'Cela prend un instant.',
  failed: 'Vous n’êtes pas connecté',
  linkFailed: 'Votre compte n’a pas été associé',
  back: 'Retour',
  problems: {
    expired:
      'Cette connexion a expiré, a déjà été utilisée ou a été commencée dans un autre onglet ou navigateur. Recommencez.',
    cancelled: 'La connexion a été annulée, ou vous n’avez pas le droit d’utiliser ce service.',
    'no-account': 'Vous n’avez pas de compte ici. Demandez-en un à l’exploitant de ce serveur.',
    deleted: 'Votre compte sur ce serveur a été supprimé.',
    disabled: 'Un administrateur a désactivé votre compte sur ce serveur.',
    taken: 'Ce compte appartient ici à une autre personne, ou vous en avez déjà associé un autre.',
    provider: 'Le service de connexion ne répond pas correctement. Réessayez plus tard.',
    limited: 'Trop de tentatives depuis votre réseau. Réessayez dans une minute.',
    unreachable: 'Le serveur est injoignable. Vérifiez votre connexion Internet et réessayez.',
    storage: 'Votre navigateur bloque le stockage pour cette page, nécessaire à ce mode de connexion.',
    failing: 'Le serveur rencontre des problèmes. Réessayez dans un instant.',
  },
}
