export const callEnded = {
  again: 'Erneut teilnehmen',
  reload: 'Seite neu laden',
  left: { title: 'Sie haben das Meeting verlassen', text: 'Das Meeting geht ohne Sie weiter.' },
  removed: {
    title: 'Sie wurden aus dem Meeting entfernt',
    text: 'Ein Moderator hat Sie entfernt. Sie können wieder teilnehmen, sobald ein Moderator Sie zulässt.',
    text_teacher:
      'Die Lehrkraft hat Sie entfernt. Sie können wieder teilnehmen, sobald die Lehrkraft Sie zulässt.',
  },
  ended: { title: 'Das Meeting ist beendet', text: 'Sie können diese Seite schließen.' },
  closed: {
    title: 'Dieser Raum wurde geschlossen',
    text: 'Das Meeting ist beendet. Sie können diese Seite schließen.',
  },
  cancelled: { title: 'Dieses Meeting wurde abgesagt', text: 'Es findet nicht statt.' },
  denied: {
    title: 'Ihre Teilnahme wurde abgelehnt',
    text: 'Sie können in einigen Minuten erneut anfragen.',
  },
  timed_out: {
    title: 'Niemand hat Sie eintreten lassen',
    text: 'Sie haben lange gewartet. Sie können erneut anfragen.',
  },
  lobby_full: {
    title: 'Es warten zu viele Personen',
    text: 'Der Warteraum ist voll. Versuchen Sie es in einigen Minuten erneut.',
  },
  plain_link_closed: {
    title: 'Dieser Raum erfordert einen persönlichen Link',
    text: 'Bitten Sie die Person, die Sie eingeladen hat, um Ihren persönlichen Link.',
  },
  full: { title: 'Das Meeting ist voll', text: 'Versuchen Sie es erneut, wenn jemand gegangen ist.' },
  too_many_devices: {
    title: 'Sie nehmen mit zu vielen Geräten teil',
    text: 'Verlassen Sie das Meeting in einem anderen Tab oder auf einem anderen Gerät und versuchen Sie es erneut.',
  },
  not_found: {
    title: 'Dieser Raum existiert nicht mehr',
    text: 'Bitten Sie die Person, die Sie eingeladen hat, um einen neuen Link.',
  },
  link_rotated: {
    title: 'Ihr Link wurde ersetzt',
    text: 'Es gibt einen neueren Link zu diesem Raum. Bitten Sie die Person darum, die Sie eingeladen hat.',
  },
  link_invalid: {
    title: 'Ihr Link ist nicht mehr gültig',
    text: 'Bitten Sie die Person, die Sie eingeladen hat, um einen neuen.',
  },
  guests_not_allowed: {
    title: 'Gäste können an diesem Meeting nicht teilnehmen',
    text: 'Bitten Sie die Person, die Sie eingeladen hat, um einen persönlichen Link.',
  },
  signed_out: {
    title: 'Sie wurden abgemeldet',
    text: 'Nehmen Sie erneut teil. Wenn das nicht hilft, löschen Sie die Daten dieser Website in den Browsereinstellungen und öffnen Sie den Link noch einmal.',
  },
  account_deleted: {
    title: 'Ihr Konto wurde gelöscht',
    text: 'Öffnen Sie Ihren Link erneut oder bitten Sie die Person, die Sie eingeladen hat, um einen neuen.',
  },
  incompatible: {
    title: 'Diese Seite ist veraltet',
    text: 'Der Server wurde aktualisiert. Laden Sie die Seite neu, um wieder teilzunehmen.',
  },
  refused: {
    title: 'Die Teilnahme ist fehlgeschlagen',
    text: 'Der Server hat Sie nicht zugelassen. Versuchen Sie es erneut; wenn das nicht hilft, wenden Sie sich an die Person, die Sie eingeladen hat.',
  },
}
