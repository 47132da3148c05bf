export const device = {
  camera: { name: 'Kamera', turnOn: 'Kamera einschalten', turnOff: 'Kamera ausschalten' },
  microphone: { name: 'Mikrofon', turnOn: 'Mikrofon einschalten', turnOff: 'Mikrofon ausschalten' },
  speaker: { name: 'Lautsprecher' },
  both: { name: 'Kamera und Mikrofon' },
  again: 'Erneut versuchen',
  newTab: 'In neuem Tab öffnen',
  replaced: '„{{previous}}“ ist getrennt oder belegt. Es wird jetzt „{{current}}“ verwendet.',
  speakerReplaced: '„{{previous}}“ ist getrennt. Es wird jetzt das Standardgerät verwendet.',
  interrupted: 'Von Ihrem System angehalten, zum Beispiel während eines Anrufs. Es geht automatisch weiter.',
}

export const deviceProblem = {
  refused: {
    title: 'Zugriff im Browser blockiert',
    text: 'Klicken Sie auf das Symbol links neben der Adresse, erlauben Sie dieser Seite den Zugriff und versuchen Sie es erneut.',
  },
  refused_by_system: {
    title: 'Zugriff vom System blockiert',
    text: 'Öffnen Sie die Datenschutzeinstellungen Ihres Systems, erlauben Sie diesem Browser den Zugriff und versuchen Sie es erneut.',
  },
  refused_by_frame: {
    title: 'Zugriff von der umgebenden Seite blockiert',
    text: 'Öffnen Sie das Meeting in einem neuen Tab. Der Betreiber der umgebenden Seite kann den Zugriff erlauben.',
  },
  missing: {
    title: 'Nicht gefunden',
    text: 'Schließen Sie ein Gerät an. Es wird automatisch erkannt.',
  },
  in_use: {
    title: 'Von einer anderen App belegt',
    text: 'Schließen Sie die andere App oder den anderen Tab und versuchen Sie es erneut.',
  },
  insecure: {
    title: 'Eine sichere Verbindung ist erforderlich',
    text: 'Die Adresse muss mit https beginnen. Informieren Sie die Person, die Sie eingeladen hat.',
  },
  failed: {
    title: 'Konnte nicht gestartet werden',
    text: 'Trennen Sie das Gerät und schließen Sie es wieder an, oder starten Sie den Browser neu. Versuchen Sie es dann erneut.',
  },
  background_failed: {
    title: 'Hintergrund konnte nicht verborgen werden',
    text: 'Ihre Kamera bleibt aus, damit niemand Ihren Raum sieht. Versuchen Sie es erneut oder zeigen Sie Ihren Raum.',
  },
  background_slow: {
    title: 'Dieses Gerät ist zu langsam für einen Hintergrund',
    text: 'Ihre Kamera wurde ausgeschaltet, damit niemand Ihren Raum sieht. Schließen Sie andere Programme und versuchen Sie es erneut, oder zeigen Sie Ihren Raum.',
  },
}

export const connection = {
  title: 'Verbindung',
  run: 'Verbindung prüfen',
  testing: 'Ihre Verbindung wird geprüft…',
  udp: 'Ihre Verbindung ist gut. Audio und Video nehmen den direkten Weg.',
  tcp: 'Ihr Netzwerk blockiert den schnellsten Weg. Anrufe funktionieren, aber Audio und Video können zeitweise stocken.',
  relay:
    'Ihr Netzwerk erlaubt Anrufe nur über einen Relay-Server. Sie funktionieren mit leichter Verzögerung.',
  none: 'Ihr Netzwerk blockiert Anrufe. Versuchen Sie ein anderes Netzwerk, zum Beispiel mobile Daten.',
  failed: 'Die Verbindung konnte nicht geprüft werden. Versuchen Sie es gleich noch einmal.',
  details: 'Details für den Support',
  routeStatus: { open: 'verfügbar', blocked: 'blockiert', missing: 'nicht angeboten' },
  server: 'Server',
  time: 'Zeit',
  browser: 'Browser',
  copy: 'Details kopieren',
  copied: 'Kopiert.',
  selected:
    'Ihr Browser erlaubt das Kopieren nicht. Die Details sind markiert, damit Sie sie selbst kopieren können.',
}
