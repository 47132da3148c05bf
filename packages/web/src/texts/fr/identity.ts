export const identity = {
  linked: 'Vous pouvez vous connecter avec ce compte :',
  notLinked: 'Associez votre compte pour vous connecter avec {{name}}.',
  link: 'Associer un compte',
  unlink: 'Dissocier le compte',
  unlinkConfirm:
    'Dissocier votre compte « {{name}} » ? Votre mot de passe sera nécessaire pour vous connecter.',
}
