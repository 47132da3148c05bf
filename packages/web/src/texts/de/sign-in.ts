export const signIn = {
  title: 'Anmelden',
  text: 'Mit einem Konto können Sie Nachrichten schreiben, andere anrufen und eigene Meetings erstellen.',
  needed: 'Melden Sie sich an, um diese Seite zu öffnen.',
  login: 'Benutzername',
  loginMissing: 'Geben Sie Ihren Benutzernamen ein.',
  password: 'Passwort',
  passwordMissing: 'Geben Sie Ihr Passwort ein.',
  verb: 'Anmelden',
  busy: 'Anmeldung läuft…',
  next: 'Sie können es {{when}} erneut versuchen.',
  problem: {
    wrong: 'Benutzername oder Passwort ist falsch.',
    deleted: 'Dieses Konto wurde gelöscht.',
    disabled: 'Ein Administrator hat dieses Konto gesperrt.',
    limited: 'Zu viele Versuche aus Ihrem Netzwerk.',
    busy: 'Gerade melden sich sehr viele Personen an. Versuchen Sie es gleich noch einmal.',
    unconfigured: 'Die Anmeldung ist nicht möglich: Dieser Server ist dafür noch nicht eingerichtet.',
    unreachable:
      'Der Server ist nicht erreichbar. Prüfen Sie Ihre Internetverbindung und versuchen Sie es erneut.',
    failing: 'Der Server hat Probleme. Versuchen Sie es gleich noch einmal.',
  },
}
