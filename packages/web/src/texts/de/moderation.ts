export const moderation = {
  permissions: 'Teilnehmer dürfen',
  everybody: {
    microphone: 'Mikrofon einschalten',
    camera: 'Kamera einschalten',
    screen: 'Bildschirm teilen',
  },
  lowerAllHands: 'Alle Hände senken',
  options: 'Optionen für {{name}}',
  spotlight: 'Für alle hervorheben',
  endSpotlight: 'Hervorhebung beenden',
  stopCamera: 'Kamera ausschalten',
  stopScreen: 'Bildschirmfreigabe beenden',
  person: {
    microphone: 'Darf das Mikrofon einschalten',
    camera: 'Darf die Kamera einschalten',
    screen: 'Darf den Bildschirm teilen',
    chat: 'Darf im Chat schreiben',
  },
  forbidden: {
    microphone: 'Ein Moderator hat Ihr Mikrofon ausgeschaltet',
    microphone_teacher: 'Die Lehrkraft hat Ihr Mikrofon ausgeschaltet',
    camera: 'Ein Moderator hat Ihre Kamera ausgeschaltet',
    camera_teacher: 'Die Lehrkraft hat Ihre Kamera ausgeschaltet',
    screen: 'Zurzeit können nur Moderatoren den Bildschirm teilen',
    screen_teacher: 'Zurzeit kann nur die Lehrkraft den Bildschirm teilen',
  },
  permitted: {
    microphone: 'Sie können Ihr Mikrofon jetzt einschalten',
    camera: 'Sie können Ihre Kamera jetzt einschalten',
    screen: 'Sie können Ihren Bildschirm jetzt teilen',
  },
}
