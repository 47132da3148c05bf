export const partnerConsole = {
  rooms: 'Räume',
  deliveries: 'Zustellungen',
  title: 'Webhook',
  none: 'Der Partner hat noch keinen Webhook eingerichtet.',
  url: 'URL',
  events: 'Ereignisse',
  enabled: 'Eingeschaltet',
  disabled: 'Ausgeschaltet',
  previous: 'Bisheriges Geheimnis',
  until: 'gültig bis {{time}}',
  test: 'Testereignis senden',
  testQuestion: 'Ein Testereignis an {{name}} senden?',
  tested: 'Das Testereignis ist in der Warteschlange. Die Liste der Zustellungen zeigt die Antwort.',
  rotate: 'Geheimnis ersetzen',
  rotateQuestion:
    'Ein neues Geheimnis für {{name}} erzeugen? Einen Tag lang tragen Zustellungen die Signaturen beider Geheimnisse.',
  rotated: 'Das neue Geheimnis ist bereit.',
  secret: 'Neues Webhook-Geheimnis',
  secretNote: 'Geben Sie es jetzt dem Partner: Es wird nicht noch einmal angezeigt.',
  finish: 'Bisheriges Geheimnis beenden',
  finishQuestion:
    'Nur noch mit dem neuen Geheimnis signieren? Ein Empfänger, der noch das bisherige hat, weist alle Zustellungen ab.',
  finished: 'Zustellungen werden nur noch mit dem neuen Geheimnis signiert.',
  remove: 'Webhook entfernen',
  removeQuestion:
    'Den Webhook von {{name}} entfernen? Ausstehende Zustellungen werden abgebrochen, neue Ereignisse nicht gesendet.',
  removed: 'Der Webhook ist entfernt.',
}
