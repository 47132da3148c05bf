export const link = {
  opening: 'Ihr Link wird geöffnet…',
  code: 'Code für den Support:',
}

export const invitation = {
  heading: 'Einladung',
  untitled: 'Meeting ohne Titel',
  time: 'Wann',
  from: 'ab {{time}}',
  until: 'bis {{time}}',
  zone: 'Zeitzone: {{zone}}',
  guest: 'Sie sind eingeladen als',
  personal:
    'Dieser Link ist persönlich. Geben Sie ihn nicht weiter: Wer ihn öffnet, nimmt unter Ihrem Namen teil.',
  about: 'Worum es geht',
  all: 'Alles anzeigen',
  less: 'Weniger anzeigen',
}

export const prejoin = {
  recorded: 'Dieses Meeting wird automatisch aufgezeichnet: Ton, Video und geteilte Bildschirme.',
  name: 'Ihr Name',
  nameMissing: 'Geben Sie Ihren Namen ein.',
  join: 'Teilnehmen',
  joinBlocked: 'Ohne Kamera und Mikrofon teilnehmen',
  joinAs: 'Teilnahme als {{name}}',
  change: 'Ändern',
  options: 'Einstellungen',
  copyLink: 'Link kopieren, um ihn anderswo zu öffnen',
  copyRefused:
    'Ihr Browser erlaubt das Kopieren nicht. Öffnen Sie den Link noch einmal in einem anderen Browser.',
  preview: 'Kameravorschau',
  settings: 'Geräte',
  requesting: 'Erlauben Sie den Zugriff auf Kamera und Mikrofon',
  requestingText:
    'Wählen Sie in der Abfrage des Browsers „Zulassen“. Niemand kann Sie sehen oder hören, bevor Sie teilnehmen.',
  cameraOff: 'Kamera ist aus',
  cameraFailed: 'Kein Bild von Ihrer Kamera',
  cameraStarting: 'Kamera wird gestartet…',
  without: {
    both: 'Sie nehmen ohne Kamera und Mikrofon teil. Sie können beides später einschalten.',
    microphone: 'Sie nehmen stummgeschaltet teil. Sie können das Mikrofon später einschalten.',
  },
  levelQuiet: 'Sagen Sie etwas, um Ihr Mikrofon zu testen',
  levelDetected: 'Ihr Mikrofon funktioniert',
  testSound: 'Testton abspielen',
  noWebRtc: {
    title: 'Dieser Browser wird nicht unterstützt',
    text: 'WebRTC fehlt oder ist ausgeschaltet. Öffnen Sie den Link in einem aktuellen Firefox, Chrome, Edge oder Safari.',
  },
  playing: 'Wird abgespielt…',
  systemSpeaker: 'Standard des Systems',
}

export const entrance = {
  signedIn: 'Angemeldet als {{login}}.',
  lost: 'Sie wurden abgemeldet. Melden Sie sich erneut an.',
  noGuests: 'Für dieses Meeting benötigen Sie ein Konto. Melden Sie sich an, um fortzufahren.',
  orAccount: 'Sie haben ein Konto?',
  orGuest: 'Kein Konto?',
  guest: 'Als Gast fortfahren',
}

export const start = {
  title: 'Von Angesicht zu Angesicht',
  text: 'Geben Sie einen Meeting-Link oder ‑Code ein, um teilzunehmen.',
  link: 'Meeting-Link oder ‑Code',
  example: 'zum Beispiel {{code}}',
  go: 'Meeting öffnen',
  wrong: {
    elsewhere: 'Dieser Link führt zu einem anderen Server. Öffnen Sie ihn im Browser.',
    nothing: 'Das ist kein Meeting-Link oder ‑Code. Prüfen Sie die Eingabe und versuchen Sie es erneut.',
  },
}

export const status = {
  live: 'Läuft gerade',
  scheduled: 'Geplant',
  empty: 'Niemand ist im Meeting',
}

export const inside = {
  one: '{{name}} ist da',
  two: '{{name}} und {{second}} sind da',
  more_one: '{{name}}, {{second}} und {{count, number}} weitere Person sind da',
  more_other: '{{name}}, {{second}} und {{count, number}} weitere sind da',
}

export const timing = {
  ahead: 'Beginnt {{when}}',
  starting: 'Beginnt jetzt',
  due: 'Begann {{when}}',
  over: 'Endete {{when}}',
  'live-until': 'Endet {{when}}',
  overtime: 'Geplantes Ende überschritten',
}

export const role = {
  teacher: 'Lehrkraft',
  student: 'Schüler/in',
}
