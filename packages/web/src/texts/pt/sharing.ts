/** Sharing one's own screen. */
export const sharing = {
  on: 'Você está compartilhando',
  preview: 'Prévia do que você compartilha',
  stop: 'Parar',
}
