export const refused = {
  link_incomplete: {
    title: 'Dieser Link ist unvollständig',
    text: 'Ein Teil der Adresse fehlt. Kopieren Sie den ganzen Link aus der Nachricht oder öffnen Sie ihn direkt dort.',
  },
  link_foreign: {
    title: 'Dieser Link ist beschädigt',
    text: 'Er hat sich vielleicht beim Kopieren verändert oder gehört zu einem anderen Server. Kopieren Sie ihn noch einmal oder bitten Sie die Person, die Sie eingeladen hat, um einen neuen.',
  },
  link_rotated: {
    title: 'Dieser Link wurde ersetzt',
    text: 'Es gibt einen neueren Link zu diesem Raum. Bitten Sie die Person darum, die Sie eingeladen hat.',
  },
  room_closed: {
    title: 'Dieser Raum ist geschlossen',
    text: 'Das Meeting ist beendet. Wenn es weitergehen sollte, wenden Sie sich an die Person, die Sie eingeladen hat.',
  },
  plain_link_closed: {
    title: 'Dieser Raum erfordert einen persönlichen Link',
    text: 'Bitten Sie die Person, die Sie eingeladen hat, um Ihren persönlichen Link.',
  },
  room_cancelled: {
    title: 'Dieses Meeting wurde abgesagt',
    text: 'Es findet nicht statt. Fragen Sie die Person, die Sie eingeladen hat, nach einem anderen Termin.',
  },
  account_deleted: {
    title: 'Dieses Konto wurde gelöscht',
    text: 'Das Konto, zu dem dieser Link gehört, existiert nicht mehr. Bitten Sie die Person, die Sie eingeladen hat, um einen neuen Link.',
  },
  account_disabled: {
    title: 'Dieses Konto ist gesperrt',
    text: 'Ein Administrator hat das Konto gesperrt, zu dem dieser Link gehört. Fragen Sie die Person, die Sie eingeladen hat.',
  },
  room_not_found: {
    title: 'Dieser Raum existiert nicht mehr',
    text: 'Der Link ist gültig, aber der Raum wurde gelöscht. Bitten Sie die Person, die Sie eingeladen hat, um einen neuen Link.',
  },
  conference_not_found: {
    title: 'Dieses Meeting existiert nicht',
    text: 'Prüfen Sie die Adresse oder bitten Sie die Person, die Sie eingeladen hat, um den Link.',
  },
  links_off: {
    title: 'Persönliche Links sind ausgeschaltet',
    text: 'Dieser Server akzeptiert zurzeit keine persönlichen Links. Informieren Sie die Person, die Sie eingeladen hat.',
  },
  unknown: {
    title: 'Dieser Link konnte nicht geöffnet werden',
    text: 'Der Server hat unerwartet geantwortet. Laden Sie die Seite neu; wenn das nicht hilft, wenden Sie sich an die Person, die Sie eingeladen hat.',
  },
}

export const problem = {
  unreachable: {
    title: 'Der Server ist nicht erreichbar',
    text: 'Prüfen Sie Ihre Internetverbindung. Diese Seite versucht es automatisch weiter.',
  },
  failing: {
    title: 'Der Server hat Probleme',
    text: 'Ihr Link ist vermutlich in Ordnung. Diese Seite versucht es automatisch weiter.',
  },
  rate_limited: {
    title: 'Zu viele Versuche',
    text: 'Aus Ihrem Netzwerk kamen zu viele Anfragen. Diese Seite versucht es automatisch erneut.',
  },
  next: 'Nächster Versuch {{when}}',
  now: 'Neuer Versuch…',
  again: 'Erneut versuchen',
}

export const loading = {
  title: 'Wird geladen…',
  text: 'Es dauert länger als üblich. Prüfen Sie Ihre Internetverbindung.',
  failed: 'Die Seite konnte nicht geladen werden',
  failedText: 'Möglicherweise wird der Server gerade aktualisiert. Laden Sie die Seite gleich neu.',
}

export const notFound = {
  title: 'Seite nicht gefunden',
  text: 'Öffnen Sie den Link aus Ihrer Einladung. Wenn Sie die Adresse eingegeben haben, prüfen Sie sie.',
}
