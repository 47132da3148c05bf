export const options = {
  copyInvitation: 'Einladungslink kopieren',
  invitationCopied: 'Kopiert.',
  sounds: 'Ton abspielen, wenn',
  sound: {
    join: 'jemand beitritt',
    hand: 'jemand die Hand hebt',
    message: 'eine Nachricht eintrifft',
  },
  bubble: 'Neue Nachrichten über den Videos zeigen',
  tabTitle: 'Ereignisse im Titel des Tabs anzeigen',
  pushToTalk: 'Leertaste gedrückt halten, um trotz Stummschaltung zu sprechen',
  alert: {
    join: '{{name}} ist beigetreten',
    hand: '{{name}} hat die Hand gehoben',
    message: 'Nachricht von {{name}}',
  },
  volume: { voice: 'Lautstärke (nur bei mir)', screen: 'Lautstärke des Bildschirms (nur bei mir)' },
}

export const reactions = {
  title: 'Reaktionen',
  forbidden: 'Derzeit können nur Moderatoren reagieren',
  forbidden_teacher: 'Derzeit kann nur die Lehrkraft reagieren',
  announce: '{{name}}: {{reaction}}',
  thumbs_up: 'Daumen hoch',
  clap: 'Applaus',
  heart: 'Herz',
  laugh: 'Lachen',
  party: 'Feiern',
  surprise: 'Überraschung',
  thinking: 'Nachdenken',
  wave: 'Winken',
}

export const pointer = {
  start: 'Laserpointer',
  stop: 'Laserpointer weglegen',
  board: 'Ihr geteilter Bildschirm, zum Zeigen',
  hint: 'Die anderen sehen, wohin Sie zeigen. Die Pfeiltasten bewegen den Zeiger, mit der Umschalttaste schneller. Escape legt ihn weg.',
}

export const pip = {
  open: 'Bild im Bild',
  close: 'Bild im Bild schließen',
}

export const statistics = {
  title: 'Verbindungsstatistik',
  none: 'Audio und Video sind nicht verbunden.',
  sent: 'Sie senden',
  received: 'Sie empfangen',
  source: {
    microphone: 'Mikrofon',
    camera: 'Kamera',
    screen: 'Bildschirm',
    screen_audio: 'Ton des Bildschirms',
  },
  kbps: '{{kbps}} kbit/s',
  loss: '{{percent}} % verloren',
  fps: '{{fps}} Bilder/s',
  rtt: 'Umlaufzeit {{ms}} ms',
  route: { udp: 'UDP', tcp: 'TCP', relay: 'Relay-Server' },
}

export const bar = {
  panel: 'Seitenleiste',
  enlarge: 'Seitenleiste vergrößern',
  reduce: 'Seitenleiste verkleinern',
  board: 'Tafel',
  myPage: 'Meine Seite',
  openBoard: 'Die Tafel allen zeigen',
  closeBoard: 'Die Tafel für alle schließen',
  boardLoading: 'Die Tafel wird geladen …',
  exit: 'Optionen zum Beenden',
  leave: 'Verlassen, das Meeting geht weiter',
  leave_teacher: 'Verlassen, der Unterricht geht weiter',
  end: 'Für alle beenden…',
  endVerb: 'Für alle beenden',
  endQuestion: 'Meeting für alle beenden?',
  settings: {
    microphone: 'Audioeinstellungen',
    camera: 'Videoeinstellungen',
  },
  share: 'Teilen',
  hand: 'Hand',
  left: 'noch {{minutes, number}} Min.',
  locked: 'Das Meeting ist gesperrt',
  hands: 'Gehobene Hände: {{hands, number}}',
  waiting: 'Wartende: {{waiting, number}}',
}

export const shortcuts = {
  b: 'Tafel zeigen oder schließen',
  m: 'Mikrofon ein- oder ausschalten',
  v: 'Kamera ein- oder ausschalten',
  h: 'Hand heben oder senken',
  c: 'Chat ein- oder ausblenden',
  p: 'Teilnehmer ein- oder ausblenden',
  g: 'Zur nächsten Ansicht wechseln',
  r: 'Mit einem Emoji reagieren',
  help: 'Diese Liste anzeigen',
  spaceKey: 'Leertaste',
  space: 'Gedrückt halten, um trotz Stummschaltung zu sprechen, wenn das eingeschaltet ist',
  escape: 'Geöffneten Bereich oder Dialog schließen',
  note: 'Während Sie schreiben, sind die Buchstabentasten ohne Funktion.',
  s: 'Bildschirmfreigabe starten oder beenden',
  t: 'Untertitel ein- oder ausblenden',
  f: 'Vollbild ein- oder ausschalten',
  settings: 'Einstellungen öffnen',
}

export const roomSettings = {
  tabs: {
    audio: 'Audio',
    video: 'Video',
    notices: 'Hinweise',
    appearance: 'Sprache und Design',
    keys: 'Tasten',
    statistics: 'Statistik',
  },
  shortcuts: 'Tastenkürzel',
}
