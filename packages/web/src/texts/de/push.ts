export const push = {
  hint: 'Über Anrufe und Nachrichten, die eintreffen, während keine Seite geöffnet ist.',
  switch: 'In diesem Browser benachrichtigen',
  checking: 'Wird geprüft…',
  failed:
    'Benachrichtigungen konnten nicht eingeschaltet werden. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
  notOff:
    'Benachrichtigungen konnten nicht ausgeschaltet werden. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
  blocked:
    'Benachrichtigungen sind für diese Website blockiert. Klicken Sie auf das Symbol links neben der Adresse und erlauben Sie sie.',
  unavailable: {
    disabled: 'Dieser Server sendet keine Benachrichtigungen.',
    unsupported:
      'Dieser Browser unterstützt hier keine Benachrichtigungen. Verwenden Sie einen aktuellen Browser oder eine Seite mit https.',
    install:
      'Fügen Sie diese Seite zuerst Ihrem Home-Bildschirm hinzu: Tippen Sie auf „Teilen“, dann auf „Zum Home-Bildschirm“, und öffnen Sie sie von dort.',
  },
}
