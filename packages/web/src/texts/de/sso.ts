export const sso = {
  verb: 'Mit {{name}} anmelden',
  or: 'oder',
  leaving: 'Die Anmeldeseite wird geöffnet…',
  completing: 'Sie werden angemeldet…',
  wait: 'Das dauert einen Moment.',
  failed: 'Sie sind nicht angemeldet',
  linkFailed: 'Ihr Konto wurde nicht verknüpft',
  back: 'Zurück',
  problems: {
    expired:
      'Diese Anmeldung ist abgelaufen, wurde bereits verwendet oder in einem anderen Tab oder Browser begonnen. Starten Sie sie neu.',
    cancelled: 'Die Anmeldung wurde abgebrochen, oder Sie dürfen diesen Dienst nicht verwenden.',
    'no-account': 'Sie haben hier kein Konto. Bitten Sie den Betreiber dieses Servers darum.',
    deleted: 'Ihr Konto auf diesem Server wurde gelöscht.',
    disabled: 'Ein Administrator hat Ihr Konto auf diesem Server gesperrt.',
    taken: 'Dieses Konto gehört hier einer anderen Person, oder Sie haben bereits ein anderes verknüpft.',
    provider: 'Der Anmeldedienst antwortet nicht wie erwartet. Versuchen Sie es später noch einmal.',
    limited: 'Zu viele Versuche aus Ihrem Netzwerk. Versuchen Sie es in einer Minute noch einmal.',
    unreachable:
      'Der Server ist nicht erreichbar. Prüfen Sie Ihre Internetverbindung und versuchen Sie es erneut.',
    storage: 'Ihr Browser blockiert den Speicher für diese Seite, den diese Art der Anmeldung benötigt.',
    failing: 'Der Server hat Probleme. Versuchen Sie es gleich noch einmal.',
  },
}
