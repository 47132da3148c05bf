export const network = {
  receivesReduced: 'Ihre Verbindung ist langsam: Videos kommen in geringerer Qualität an.',
  receivesSome: 'Ihre Verbindung ist langsam: Einige Videos kommen nicht an.',
  receivesScreen: 'Ihre Verbindung ist langsam: Nur Ton und Bildschirm kommen an.',
  receivesAudio: 'Ihre Verbindung ist langsam: Nur Ton kommt an.',
  sendsReduced: 'Ihre Verbindung ist langsam: Andere sehen Sie in geringerer Qualität.',
  sendsScreen:
    'Ihre Verbindung ist langsam: Andere empfangen Ihren Ton und Ihren Bildschirm, aber nicht Ihre Kamera.',
  losesPackets: 'Ihre Verbindung verliert Daten: Ton und Bild können stocken.',
  interrupted: 'Der Ton war kurz weg.',
}
