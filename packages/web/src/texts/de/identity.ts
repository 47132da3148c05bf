export const identity = {
  linked: 'Sie können sich mit diesem Konto anmelden:',
  notLinked: 'Verknüpfen Sie Ihr Konto, um sich mit {{name}} anzumelden.',
  link: 'Konto verknüpfen',
  unlink: 'Verknüpfung aufheben',
  unlinkConfirm: 'Verknüpfung mit „{{name}}“ aufheben? Zum Anmelden benötigen Sie dann Ihr Passwort.',
}
