export const waiting = {
  leave: 'Verlassen',
  approval: {
    title: 'Der Moderator lässt Sie gleich eintreten',
    title_teacher: 'Die Lehrkraft lässt Sie gleich eintreten',
    text: 'Sie treten automatisch bei, sobald der Moderator Sie zulässt.',
    text_teacher: 'Sie treten automatisch bei, sobald die Lehrkraft Sie zulässt.',
  },
  locked: {
    title: 'Der Moderator lässt Sie gleich eintreten',
    title_teacher: 'Die Lehrkraft lässt Sie gleich eintreten',
    text: 'Das Meeting ist gesperrt. Sie treten automatisch bei, sobald der Moderator Sie zulässt.',
    text_teacher: 'Das Meeting ist gesperrt. Sie treten automatisch bei, sobald die Lehrkraft Sie zulässt.',
  },
  not_started: {
    title: 'Der Moderator hat das Meeting beendet',
    title_teacher: 'Die Lehrkraft hat das Meeting beendet',
    text: 'Wenn der Moderator es wieder startet, treten Sie automatisch bei.',
    text_teacher: 'Wenn die Lehrkraft es wieder startet, treten Sie automatisch bei.',
  },
}

export const lobby = {
  title: 'Warteraum',
  waiting_one: '{{count, number}} Person möchte beitreten',
  waiting_other: '{{count, number}} Personen möchten beitreten',
  one: '{{name}} möchte beitreten',
  several: '{{name}} und {{others}} weitere möchten beitreten',
  admit: '{{name}} zulassen',
  deny: '{{name}} ablehnen',
  admitAll: 'Alle zulassen',
}

export const people = {
  title: 'Teilnehmer',
  close: 'Teilnehmer schließen',
  number: 'In diesem Meeting: {{number}}',
  nameless: 'Unbekannt',
  moderator: 'Moderator',
  moderator_teacher: 'Lehrkraft',
  handUp: 'Hand gehoben',
  microphoneOn: 'Mikrofon an',
  microphoneOff: 'Mikrofon aus',
  cameraOn: 'Kamera an',
  cameraOff: 'Kamera aus',
  sharing: 'Teilt den Bildschirm',
  devices_one: '{{count, number}} Gerät',
  devices_other: '{{count, number}} Geräte',
  mute: '{{name}} stummschalten',
  muteAll: 'Alle stummschalten',
  lowerHandOf: 'Hand von {{name}} senken',
  remove: '{{name}} entfernen',
  removeConfirm:
    '{{name}} aus dem Meeting entfernen? Ein erneuter Beitritt ist erst möglich, wenn Sie ihn wieder erlauben.',
  removeVerb: 'Entfernen',
  removed: 'Entfernt',
  readmit: '{{name}} wieder zulassen',
  lock: 'Meeting sperren',
  rename: 'Namen ändern',
  name: 'Ihr Name',
  save: 'Speichern',
  notDone: 'Etwas ist schiefgelaufen. Versuchen Sie es gleich noch einmal.',
}
