export const identity = {
  linked: 'Puedes iniciar sesión con esta cuenta:',
  notLinked: 'Vincula tu cuenta para iniciar sesión con {{name}}.',
  link: 'Vincular cuenta',
  unlink: 'Desvincular cuenta',
  unlinkConfirm: '¿Desvincular tu cuenta de “{{name}}”? Necesitarás tu contraseña para iniciar sesión.',
}
