export const adminPages = {
  groups: { people: 'Personen', meetings: 'Meetings', system: 'System' },
  actionsOf: 'Aktionen: {{name}}',
  noMatch: 'Nichts passt zur Suche und zu den Filtern.',
  clear: 'Suche und Filter zurücksetzen',
  starts: 'Beginn',
  ends: 'Ende',
  files: 'Dateien',
  changed: 'Geändert',
  history: 'Verlauf',
  deletedMeeting: 'Gelöschtes Meeting',
  changeScopes: 'Scopes ändern',
  nothingWaits: 'Nichts wartet.',
  room: {
    open: 'Raum öffnen',
    closeHint: 'Der Unterricht ist vorbei: Die Sitzung endet, und die Links sagen, dass er beendet ist.',
    cancelHint: 'Der Unterricht findet nicht statt: Die Links sagen, dass er abgesagt wurde.',
  },
  result: { recordings: 'Aufzeichnung öffnen', transcripts: 'Transkript öffnen' },
  technicalUser: {
    create: 'Neu anlegen',
    existing: 'Vorhandenen verwenden',
    note: 'Dem technischen Benutzer gehören die Räume des Partners. Er braucht kein Passwort: Das Backend des Partners meldet sich mit dem Client Secret an.',
  },
  how: {
    users: 'Legen Sie mit „Neuer Benutzer“ einen an, und senden Sie der Person den Einladungslink.',
    serviceAccounts:
      'Das Backend eines Partners braucht eines, um Räume anzulegen. Legen Sie es mit „Neues Dienstkonto“ an, und geben Sie dem Partner das Client Secret.',
    sessions:
      'Eine Sitzung erscheint hier, sobald jemand einem Meeting beitritt, und verschwindet, wenn die letzte Person gegangen ist.',
    rooms: 'Partner legen Räume über die Partner-API an, mit einem Dienstkonto.',
    recordings:
      'Eine Aufzeichnung erscheint hier, wenn ein Moderator sie gestartet und ein Rekorder sie gespeichert hat.',
    transcripts:
      'Ein Transkript erscheint hier, wenn ein Meeting mit Transkription zu Ende ist. Dafür wird ein Transkriptor gebraucht.',
    jobs: 'Ein Auftrag erscheint hier, sobald eine Aufzeichnung oder Transkription beginnt.',
    webhooks:
      'Zustellungen erscheinen hier, wenn ein Partner einen Webhook eingerichtet hat und in einem seiner Räume etwas geschieht.',
    push: 'Benachrichtigungen werden sofort gesendet. Was ein Push-Dienst nicht angenommen hat, wartet hier auf den nächsten Versuch.',
    audit: 'Hier steht alles, was Administratoren ändern.',
  },
}
