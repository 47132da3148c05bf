export const identity = {
  linked: 'Você pode entrar com esta conta:',
  notLinked: 'Vincule sua conta para entrar com {{name}}.',
  link: 'Vincular conta',
  unlink: 'Desvincular conta',
  unlinkConfirm: 'Desvincular sua conta de “{{name}}”? Você vai precisar da sua senha para entrar.',
}
